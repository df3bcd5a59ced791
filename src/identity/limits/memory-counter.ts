/** Counts in the memory of this process: exact for one process, gone with it, and bounded however many callers come. */
import type { Clock } from '../../clock/clock.js';
import type { Count, Hits, RateCounter } from './counter.js';

/** About 33 MB. Beyond it a bucket is forgotten for each new one. */
const mostBuckets = 100_000;
/** Old buckets looked at for each new one: all are looked at before half as many new ones have come. */
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

  /** Counts one request, or so many; gives the count after the last of them. */
  count({ bucket, windowMs, hits = 1 }: Omit<Hits, 'hits'> & Partial<Hits>): Count {
    const elapsed = this.#clock.elapsed();
    const known = this.#windows.get(bucket);
    // One that ends later than a window that begins now: the window was made shorter.
    if (known !== undefined && known.endsAt > elapsed && known.endsAt <= elapsed + windowMs) {
      known.hits += hits;
      return { hits: known.hits, endsOn: known.endsOn, leftMs: known.endsAt - elapsed };
    }
    const window = { endsAt: elapsed + windowMs, endsOn: this.#clock.now() + windowMs, hits };
    if (known === undefined) this.#makeRoom(elapsed);
    this.#windows.set(bucket, window);
    return { hits, endsOn: window.endsOn, leftMs: windowMs };
  }

  /**
   * Windows differ in length, so the oldest need not end first: a hand goes round over all of them. One iterator for a
   * whole round, because each new one would step over everything that was deleted at the front.
   */
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
    // Only just after a round: the next one begins with this bucket.
    const first = this.#windows.keys().next();
    if (!first.done) this.#windows.delete(first.value);
  }
}
