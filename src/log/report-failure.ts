/**
 * Reports failures of background work. A database that does not answer is not reported here: the code that reads it
 * regularly reports that once (`store_unavailable`), and a line for each piece of work would hide that line.
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
