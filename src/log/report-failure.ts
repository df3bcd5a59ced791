/** Reports failures of background work, except of the database: its reader reports `store_unavailable` once. */
import { AppError } from '../errors/app-error.js';
import type { Log } from './observation.js';

interface Failure {
  /** What was being done, in a few fixed words. */
  readonly during: string;
  readonly error: unknown;
}

export function reportFailure(log: Log, { during, error }: Failure): void {
  if (error instanceof AppError && error.kind === 'unavailable') return;
  log({ kind: 'unexpected_error', during, error });
}
