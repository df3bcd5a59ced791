/** The interface of the place where requests are counted: this process's memory, the database, or Redis. */
import { AppError } from '../../errors/app-error.js';

export interface CountQuestion {
  /** The caller, and the kind of request. */
  readonly bucket: string;
  readonly windowMs: number;
  /** When the shared count cannot be had: this process counts alone, or the request is refused as unavailable. */
  readonly whenLost: 'alone' | 'refuse';
}

export interface Count {
  readonly hits: number;
  /** Unix milliseconds. */
  readonly endsOn: number;
  /** Milliseconds until the window ends. */
  readonly leftMs: number;
}

export interface RateCounter {
  /** Counts one request. A window begins with the first request of its bucket. */
  count(question: CountQuestion): Count | Promise<Count>;
}

const retryAfter = 5;

/** This process counts alone. Throws unavailable when the question does not allow that. */
export function countWhileLost(
  question: CountQuestion,
  alone: { readonly count: (question: CountQuestion) => Count },
): Count {
  if (question.whenLost === 'refuse') throw new AppError('unavailable', { details: { retryAfter } });
  return alone.count(question);
}
