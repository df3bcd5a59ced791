/** Counts in Redis for all processes and machines. While Redis is lost, requests do not wait for it. */
import type { Clock } from '../../clock/clock.js';
import { AppError } from '../../errors/app-error.js';
import type { Log } from '../../log/observation.js';
import { type Count, type CountQuestion, countWhileLost, type RateCounter } from './counter.js';
import { MemoryCounter } from './memory-counter.js';
import { RedisConnection } from './redis-connection.js';
import { describeFailure, isLasting, type RedisCounting, RedisFailure } from './redis-link.js';

interface RedisCounterDeps {
  /** Rejects with a RedisFailure. */
  readonly open: () => Promise<RedisCounting>;
  readonly clock: Clock;
  readonly log: Log;
}

export class RedisCounter implements RateCounter {
  readonly #alone: MemoryCounter;
  readonly #connection: RedisConnection<RedisCounting>;
  /** Since Redis was lost. */
  #uncounted = 0;

  constructor({ open, clock, log }: RedisCounterDeps) {
    this.#alone = new MemoryCounter(clock);
    this.#connection = new RedisConnection({
      ...{ open, clock, log, during: 'connecting to Redis' },
      onLost: ({ code }) => log({ kind: 'redis_unavailable', code }),
      onOpened: (wasLost) => {
        if (wasLost) log({ kind: 'redis_recovered', uncounted: this.#uncounted });
        this.#uncounted = 0;
      },
    });
  }

  /** Throws configuration_invalid when Redis refuses what waiting will not change. */
  async start(): Promise<void> {
    const failure = await this.#connection.start(isLasting);
    if (failure === null) return;
    const message = `HCD_REDIS_URL (redis in hcd.toml): ${describeFailure(failure)}`;
    throw new AppError('configuration_invalid', { message, cause: failure });
  }

  /** Throws unavailable when Redis does not count and the question does not allow to count alone. */
  async count(question: CountQuestion): Promise<Count> {
    const { link } = this.#connection;
    if (link !== null) {
      try {
        return await link.addHit(question);
      } catch (error) {
        if (!(error instanceof RedisFailure)) throw error;
        this.#connection.lose(link, error);
      }
    }
    this.#uncounted += 1;
    return countWhileLost(question, this.#alone);
  }

  close(): void {
    this.#connection.close();
  }
}
