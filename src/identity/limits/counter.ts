/** The interface of the place where requests are counted: a memory, the database, or Redis. */
import { AppError } from '../../errors/app-error.js';

/** Requests that are counted together. */
export interface Hits {
  /** The caller, and the kind of request. */
  readonly bucket: string;
  readonly windowMs: number;
  readonly hits: number;
}

export interface CountQuestion extends Omit<Hits, 'hits'> {
  /** Requests that the caller may make in a window. */
  readonly max: number;
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
export function countWhileLost<Question extends Pick<CountQuestion, 'whenLost'>>(
  question: Question,
  alone: { readonly count: (question: Question) => Count },
): Count {
  if (question.whenLost === 'refuse') throw new AppError('unavailable', { details: { retryAfter } });
  return alone.count(question);
}
