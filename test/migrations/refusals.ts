/** Steps that break on purpose, and the refusals that runs end with. */
import { expect } from 'vitest';
import { AppError } from '../../src/errors/app-error.js';
import type { Migration } from '../../src/store/migrations/migration.js';

/** The step with a failure after its first statements; on MariaDB what DDL did by then stays done. */
export function failAfter(step: Migration | undefined, statements: number): Migration {
  if (step === undefined) throw new Error('no such step');
  return {
    ...step,
    up: (context) => {
      let left = statements;
      const run = async (sql: string) => {
        if (left === 0) throw new Error('broken on purpose');
        left -= 1;
        await context.run(sql);
      };
      return step.up({ ...context, run }).then(() => {
        throw new Error('broken on purpose');
      });
    },
  };
}

/** The refusal that the work ends with; anything else fails the test. */
export async function caught(promise: Promise<unknown>): Promise<AppError> {
  const error: unknown = await promise.then(
    () => new Error('nothing was thrown'),
    (reason: unknown) => reason,
  );
  if (error instanceof AppError) return error;
  throw error;
}

/** The work is refused with database_not_ready and this message. */
export async function expectRefusal(promise: Promise<unknown>, message: string): Promise<void> {
  const error = await caught(promise);
  expect({ code: error.code, message: error.message }).toEqual({ code: 'database_not_ready', message });
}
