/** Errors as lines of text, and reports of failures in the background. */
import { AppError } from '../errors/app-error.js';
import type { Log } from './observation.js';

/** A chain may be circular; five links say enough. */
const longestChain = 5;

/** `Name: message` of the error, of its cause, and so on. */
export function errorChain(error: unknown): readonly string[] {
  const lines: string[] = [];
  let current = error;
  while (lines.length < longestChain && current !== undefined && current !== null) {
    lines.push(current instanceof Error ? `${current.name}: ${current.message}` : String(current));
    current = current instanceof Error ? current.cause : undefined;
  }
  return lines;
}

interface Failure {
  /** What was being done, in a few fixed words. */
  readonly during: string;
  readonly error: unknown;
}

/** Not of the database: its reader reports `store_unavailable` once. */
export function reportFailure(log: Log, { during, error }: Failure): void {
  if (error instanceof AppError && error.kind === 'unavailable') return;
  log({ kind: 'unexpected_error', during, error });
}
