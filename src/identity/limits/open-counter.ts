/** Chooses where requests are counted for rate limits, and opens it. */
import type { Clock } from '../../clock/clock.js';
import { parseRedisUrl } from '../../config/address-values.js';
import type { Config } from '../../config/definitions.js';
import { AppError } from '../../errors/app-error.js';
import type { Log } from '../../log/observation.js';
import {
  type AddHits,
  BatchCounter,
  type Count,
  type CountQuestion,
  countWhileLost,
  MemoryCounter,
  type RateCounter,
} from './counter.js';
import { RedisConnection } from './redis-connection.js';
import { describeFailure, isLasting, openRedisLink, type RedisCounting, RedisFailure } from './redis-link.js';

/** `workers`: the first process counts for all of them. */
export type CounterPlace = 'memory' | 'workers' | { readonly redisUrl: string; readonly prefix: string };

/** Several processes must count together; a single one is faster in its own memory. */
export function counterPlace(
  config: Pick<Config, 'rate_limit_store' | 'workers' | 'redis' | 'redis_prefix'>,
): CounterPlace {
  const { rate_limit_store: wanted, workers, redis, redis_prefix: prefix } = config;
  if (wanted === 'memory') return wanted;
  if (redis !== null) return { redisUrl: redis, prefix };
  return workers > 1 ? 'workers' : 'memory';
}

interface CounterDeps {
  readonly place: CounterPlace;
  /** Asks the first process, where this is one of several. */
  readonly firstProcess?: AddHits | undefined;
  readonly clock: Clock;
  readonly log: Log;
}

/** Throws configuration_invalid when Redis refuses what waiting will not change. */
export async function openRateCounter({
  place,
  firstProcess: add,
  ...deps
}: CounterDeps): Promise<{ readonly counter: RateCounter; close(): void }> {
  const { clock } = deps;
  if (typeof place === 'string') {
    const counter = place === 'workers' && add ? new BatchCounter({ add, ...deps }) : new MemoryCounter(clock);
    return { counter, close: () => undefined };
  }
  const address = parseRedisUrl(place.redisUrl);
  if (address === undefined)
    throw new AppError('configuration_invalid', { message: 'HCD_REDIS_URL is not a Redis address' });
  const open = () => openRedisLink({ address, prefix: place.prefix, clock });
  const counter = new RedisCounter({ ...deps, open });
  await counter.start();
  return { counter, close: () => counter.close() };
}

interface RedisCounterDeps {
  /** Rejects with a RedisFailure. */
  readonly open: () => Promise<RedisCounting>;
  readonly clock: Clock;
  readonly log: Log;
}

export class RedisCounter implements RateCounter {
  readonly #alone: MemoryCounter;
  readonly #connection: RedisConnection<RedisCounting>;
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
