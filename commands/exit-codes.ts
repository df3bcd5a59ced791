/** The only place that turns the outcome of a command into an exit code. */
import { AppError } from '../src/errors/app-error.js';
import type { ErrorKind } from '../src/errors/catalogue.js';

export type ExitCode = 0 | 1 | 2 | 3 | 70 | 130 | 141;

export const exitCodeMeanings: readonly { readonly code: ExitCode; readonly meaning: string }[] = Object.freeze([
  { code: 0, meaning: 'Done.' },
  { code: 1, meaning: 'Refused or failed.' },
  { code: 2, meaning: 'Usage error: a flag or argument is missing, unknown or invalid.' },
  { code: 3, meaning: 'The configuration or the database is not ready.' },
  { code: 70, meaning: 'Internal error: a bug in hcd.' },
  { code: 130, meaning: 'Interrupted.' },
  { code: 141, meaning: 'The reader of the output went away, as in "hcd export - | head".' },
]);

const byKind: Readonly<Partial<Record<ErrorKind, ExitCode>>> = { unavailable: 3, usage: 2, internal: 70 };

type EndingSignal = 'SIGINT' | 'SIGTERM' | 'SIGPIPE';

export class Interrupted extends Error {
  readonly signal: EndingSignal;

  constructor(signal: EndingSignal = 'SIGINT') {
    super('Interrupted');
    this.name = 'Interrupted';
    this.signal = signal;
  }
}

export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof Interrupted) return error.signal === 'SIGPIPE' ? 141 : 130;
  return error instanceof AppError ? (byKind[error.kind] ?? 1) : 70;
}
