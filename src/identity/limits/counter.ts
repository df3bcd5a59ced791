/** Places that count requests: the memory of a process or of the first one, or Redis. */

import type { Clock } from '../../clock/clock.js';
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

/** About 33 MB. Beyond it each new bucket replaces an old one. */
const mostBuckets = 100_000;
/** Old buckets examined for each new one. */
const lookedAt = 2;

interface Window {
  /** By the clock that never goes back. */
  readonly endsAt: number;
  readonly endsOn: number;
  hits: number;
}

export class MemoryCounter implements RateCounter {
  readonly #clock: Pick<Clock, 'now' | 'elapsed'>;
  readonly #most: number;
  readonly #windows = new Map<string, Window>();
  #hand: MapIterator<[string, Window]> = this.#windows.entries();

  constructor(clock: Pick<Clock, 'now' | 'elapsed'>, most: number = mostBuckets) {
    this.#clock = clock;
    this.#most = most;
  }

  get size(): number {
    return this.#windows.size;
  }

  count({ bucket, windowMs, hits = 1 }: Omit<Hits, 'hits'> & Partial<Hits>): Count {
    const elapsed = this.#clock.elapsed();
    const known = this.#windows.get(bucket);
    // A window that ends later than a new one would: the setting was made shorter.
    if (known !== undefined && known.endsAt > elapsed && known.endsAt <= elapsed + windowMs) {
      known.hits += hits;
      return { hits: known.hits, endsOn: known.endsOn, leftMs: known.endsAt - elapsed };
    }
    const window = { endsAt: elapsed + windowMs, endsOn: this.#clock.now() + windowMs, hits };
    if (known === undefined) this.#makeRoom(elapsed);
    this.#windows.set(bucket, window);
    return { hits, endsOn: window.endsOn, leftMs: windowMs };
  }

  /** Windows differ in length, so one iterator goes round all; a new one would step over deleted entries. */
  #makeRoom(elapsed: number): void {
    for (let looked = 0; looked < lookedAt; looked += 1) {
      const next = this.#hand.next();
      if (next.done) {
        this.#hand = this.#windows.entries();
        continue;
      }
      const [bucket, window] = next.value;
      if (window.endsAt <= elapsed || this.#windows.size >= this.#most) this.#windows.delete(bucket);
    }
    if (this.#windows.size < this.#most) return;
    const first = this.#windows.keys().next();
    if (!first.done) this.#windows.delete(first.value);
  }
}
