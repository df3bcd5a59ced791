/** Chooses where requests are counted for rate limits, and opens it. */
import type { Clock } from '../../clock/clock.js';
import { parseRedisUrl } from '../../config/address-values.js';
import type { Config } from '../../config/definitions.js';
import { AppError } from '../../errors/app-error.js';
import type { Log } from '../../log/observation.js';
import { type AddHits, BatchCounter } from './batch-counter.js';
import type { RateCounter } from './counter.js';
import { MemoryCounter } from './memory-counter.js';
import { RedisCounter } from './redis-counter.js';
import { openRedisLink } from './redis-link.js';

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
