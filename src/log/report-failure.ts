/**
 * Reports what went wrong in work that nothing waits for. A database that does not answer is not reported here: who reads it
 * all the time says so once (`store_unavailable`), and a line for each piece of work would drown that one.
 */
import { AppError } from '../errors/app-error.js';
import type { Log } from './observation.js';

interface Failure {
  /** What was being done, in a few fixed words. */
  readonly during: string;
  readonly error: unknown;
}

/** Never throws. */
export function reportFailure(log: Log, { during, error }: Failure): void {
  if (error instanceof AppError && error.kind === 'unavailable') return;
  log({ kind: 'unexpected_error', during, error });
}
