/**
 * Counts in the database, exactly over all processes and machines that use it. One transaction is under way at a time
 * and includes every request that arrived meanwhile, so that a flood costs few transactions.
 */
import type { Clock, Timer } from '../../clock/clock.js';
import { AppError } from '../../errors/app-error.js';
import type { Log } from '../../log/observation.js';
import type { Database } from '../../store/base/database.js';
import { addRateHits, purgeRateCounters } from '../models/rate-counters.js';
import { type Count, type CountQuestion, countWhileLost, type RateCounter } from './counter.js';
import { MemoryCounter } from './memory-counter.js';
import { within } from './within.js';

/** Milliseconds that a request waits for its count at most. */
const waitFor = 2000;
/** Milliseconds after a failure without a new attempt, so that not every request waits. */
const pauseFor = 1000;
const mostTogether = 512;
const purgeEvery = 60_000;

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

  purge(): Promise<void> {
    return purgeRateCounters(this.#deps.own);
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
    const { own, clock } = this.#deps;
    const hits = [...batch].map(([bucket, { windowMs, settle }]) => ({ bucket, windowMs, hits: settle.length }));
    const tooLate = () => new AppError('unavailable', { message: 'The database did not count in time' });
    try {
      // Adding twice after a commit of unknown outcome is on the safe side.
      const work = own.write((tx) => addRateHits(tx, hits), { outcome: async () => undefined });
      const rows = await within(clock, { work, limit: waitFor, tooLate });
      this.#isLost = false;
      for (const { bucket, hits: all, endsOn, leftMs } of rows) {
        const settle = batch.get(bucket)?.settle ?? [];
        for (const [at, one] of settle.entries()) one({ hits: all - settle.length + at + 1, endsOn, leftMs });
      }
    } catch (error) {
      this.#lostUntil = clock.elapsed() + pauseFor;
      // Reported once: an outage of the database affects many requests.
      if (!this.#isLost) this.#report('counting requests in the database', error);
      this.#isLost = true;
    } finally {
      // A promise settles once: this reaches only requests without a count.
      for (const { settle } of batch.values()) for (const one of settle) one('lost');
    }
  }

  #report(during: string, error: unknown): void {
    this.#deps.log({ kind: 'unexpected_error', during, error });
  }
}
