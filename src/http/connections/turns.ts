/**
 * Shares the event loop between requests that arrive together. Once the requests of a turn have taken their time, each
 * further one begins in a turn of its own, in the order in which they arrived, so that new connections are read and
 * health is answered in between.
 */
import type { Clock } from '../../clock/clock.js';

/** Milliseconds after which no further request begins in a turn of the event loop. */
const turnMs = 10;

export class Turns {
  readonly #clock: Clock;
  readonly #queue: (() => void)[] = [];
  /** When the first request of this turn began. Null before it. */
  #since: number | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether a request that was read just now may begin at once. */
  hasRoom(): boolean {
    if (this.#queue.length > 0) return false;
    const now = this.#clock.elapsed();
    if (this.#since === null) {
      this.#since = now;
      setImmediate(this.#endTurn);
    }
    return now - this.#since < turnMs;
  }

  /** Runs the work in a later turn, after the work that was queued before it. */
  queue(work: () => void): void {
    this.#queue.push(work);
    if (this.#queue.length === 1) setImmediate(this.#next);
  }

  readonly #endTurn = (): void => {
    this.#since = null;
  };

  /** The work leaves the queue when it has run, so that a request which it reads waits its turn too. */
  readonly #next = (): void => {
    this.#queue[0]?.();
    this.#queue.shift();
    if (this.#queue.length > 0) setImmediate(this.#next);
  };
}
