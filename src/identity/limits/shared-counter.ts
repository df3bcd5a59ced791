/** Counts in the database for all processes and machines that use it. */
import type { Clock, Timer } from '../../clock/clock.js';
import type { Log } from '../../log/observation.js';
import type { Database } from '../../store/base/database.js';
import { addRateHits, purgeRateCounters } from '../models/rate-counters.js';
import { BatchCounter } from './batch-counter.js';
import type { Count, CountQuestion, RateCounter } from './counter.js';

const purgeEvery = 60_000;

export interface SharedCounterDeps {
  readonly own: Database;
  readonly clock: Clock;
  readonly log: Log;
}

export class SharedCounter implements RateCounter {
  readonly #own: Database;
  readonly #batches: BatchCounter;
  readonly #purge: Timer;

  constructor({ own, clock, log }: SharedCounterDeps) {
    this.#own = own;
    this.#batches = new BatchCounter({
      // Repeating after a lost answer to COMMIT only counts too much.
      add: (hits) => own.write((tx) => addRateHits(tx, hits), { outcome: async () => undefined }),
      clock,
      log,
      during: 'counting requests in the database',
    });
    this.#purge = clock.every({
      intervalMs: purgeEvery,
      work: () => this.purge(),
      onError: (error) => log({ kind: 'unexpected_error', during: 'removing old counters of requests', error }),
    });
  }

  /** Throws unavailable when the database does not count and the question does not allow to count alone. */
  count(question: Omit<CountQuestion, 'max'>): Promise<Count> {
    return this.#batches.count(question);
  }

  purge(): Promise<void> {
    return purgeRateCounters(this.#own);
  }

  close(): void {
    this.#purge.stop();
  }
}
