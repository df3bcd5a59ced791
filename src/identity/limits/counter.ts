/** The interface of places that count requests: the memory of a process or of the first one, or Redis. */
import { AppError, retrySeconds } from '../../errors/app-error.js';

export interface Hits {
  /** The caller, and the kind of request. */
  readonly bucket: string;
  readonly windowMs: number;
  readonly hits: number;
}

export interface CountQuestion extends Omit<Hits, 'hits'> {
  /** When the shared count is lost: this process counts alone, or the request is refused as unavailable. */
  readonly whenLost: 'alone' | 'refuse';
}

export interface Count {
  readonly hits: number;
  /** Unix milliseconds. */
  readonly endsOn: number;
  readonly leftMs: number;
}

export interface RateCounter {
  /** A window begins with the first request of its bucket. */
  count(question: CountQuestion): Count | Promise<Count>;
}

/** Throws unavailable when the question does not allow to count alone. */
export function countWhileLost<Question extends Pick<CountQuestion, 'whenLost'>>(
  question: Question,
  alone: { readonly count: (question: Question) => Count },
): Count {
  if (question.whenLost === 'refuse') throw new AppError('unavailable', { details: { retryAfter: retrySeconds } });
  return alone.count(question);
}
