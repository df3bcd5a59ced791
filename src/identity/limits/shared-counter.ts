/**
 * Counts in the database, exactly over all processes and machines that use it. One transaction is under way at a time
 * and takes along every request that came meanwhile, so that a flood costs few transactions.
 */
import type { Clock, Timer } from '../../clock/clock.js';
import { AppError } from '../../errors/app-error.js';
import type { Log } from '../../log/observation.js';
import type { Database } from '../../store/base/database.js';
import { addRateHits, type RateHits, removeEndedRateCounters } from '../models/rate-counters.js';
import type { Count, CountQuestion, RateCounter } from './counter.js';
import { countWhileLost } from './counter.js';
import { MemoryCounter } from './memory-counter.js';

/** Milliseconds that a request waits for its count at most. */
const waitFor = 2000;
/** Milliseconds after a failure without a new attempt, so that not every request waits. */
const pauseFor = 1000;
/** Buckets of one transaction. */
const mostTogether = 512;
const purgeEvery = 60_000;
const purgeTogether = 1000;

export interface SharedCounterDeps {
  readonly own: Database;
  readonly clock: Clock;
  readonly log: Log;
}

interface Waiting {
  windowMs: number;
  readonly settle: ((outcome: Count | 'lost') => void)[];
}

export class SharedCounter implements RateCounter {
  readonly #deps: SharedCounterDeps;
  readonly #alone: MemoryCounter;
  readonly #waiting = new Map<string, Waiting>();
  #running = false;
  #lostUntil = Number.NEGATIVE_INFINITY;
  #isLost = false;
  readonly #purge: Timer;

  constructor(deps: SharedCounterDeps) {
    this.#deps = deps;
    this.#alone = new MemoryCounter(deps.clock);
    this.#purge = deps.clock.every({
      intervalMs: purgeEvery,
      work: () => this.purge(),
      onError: (error) => this.#report('removing old counters of requests', error),
    });
  }

  /** Throws unavailable when the database does not count and the question does not allow to count alone. */
  async count(question: CountQuestion): Promise<Count> {
    const isPause = this.#deps.clock.elapsed() < this.#lostUntil;
    const outcome = isPause ? 'lost' : await this.#join(question);
    if (outcome !== 'lost') return outcome;
    return countWhileLost(question, this.#alone);
  }

  /** Removes counters whose window has ended. */
  async purge(): Promise<void> {
    let removed = purgeTogether;
    while (removed === purgeTogether) {
      removed = await this.#deps.own.write((tx) => removeEndedRateCounters(tx, purgeTogether));
    }
  }

  close(): void {
    this.#purge.stop();
  }

  #join({ bucket, windowMs }: CountQuestion): Promise<Count | 'lost'> {
    const waiting = this.#waiting.get(bucket) ?? { windowMs, settle: [] };
    waiting.windowMs = windowMs;
    this.#waiting.set(bucket, waiting);
    return new Promise((resolve) => {
      waiting.settle.push(resolve);
      if (!this.#running) void this.#run();
    });
  }

  /** Never rejects. */
  async #run(): Promise<void> {
    this.#running = true;
    while (this.#waiting.size > 0) {
      const batch = [...this.#waiting].slice(0, mostTogether);
      for (const [bucket] of batch) this.#waiting.delete(bucket);
      await this.#countBatch(new Map(batch));
    }
    this.#running = false;
  }

  async #countBatch(batch: ReadonlyMap<string, Waiting>): Promise<void> {
    const hits = [...batch].map(([bucket, { windowMs, settle }]) => ({ bucket, windowMs, hits: settle.length }));
    try {
      const rows = await this.#add(hits);
      this.#isLost = false;
      for (const { bucket, hits: all, endsOn, leftMs } of rows) {
        const settle = batch.get(bucket)?.settle ?? [];
        let place = all - settle.length;
        for (const one of settle) {
          place += 1;
          one({ hits: place, endsOn, leftMs });
        }
      }
    } catch (error) {
      this.#lostUntil = this.#deps.clock.elapsed() + pauseFor;
      // Told once: a database that is gone stays gone for many requests.
      if (!this.#isLost) this.#report('counting requests in the database', error);
      this.#isLost = true;
    } finally {
      // A promise settles once: this reaches only requests without a count.
      for (const { settle } of batch.values()) for (const one of settle) one('lost');
    }
  }

  /** Adding twice after a commit of unknown outcome is on the safe side. */
  async #add(hits: readonly RateHits[]): ReturnType<typeof addRateHits> {
    const { own, clock } = this.#deps;
    const done = new AbortController();
    const tooLong = clock.sleep(waitFor, done.signal).then(() => {
      throw new AppError('unavailable', { message: 'The database did not count in time' });
    });
    const adding = own.write((tx) => addRateHits(tx, hits), { outcome: async () => undefined });
    try {
      return await Promise.race([adding, tooLong]);
    } finally {
      // The one that came second has no handler.
      adding.catch(() => undefined);
      tooLong.catch(() => undefined);
      done.abort();
    }
  }

  #report(during: string, error: unknown): void {
    this.#deps.log({ kind: 'unexpected_error', during, error });
  }
}
