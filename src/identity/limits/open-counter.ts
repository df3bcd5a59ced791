/** Chooses where requests are counted for rate limits, and opens it. */

import { parseRedisUrl } from '../../config/address-values.js';
import type { Config } from '../../config/definitions.js';
import { AppError } from '../../errors/app-error.js';
import { AheadCounter } from './ahead-counter.js';
import { type AddHits, BatchCounter } from './batch-counter.js';
import type { RateCounter } from './counter.js';
import { MemoryCounter } from './memory-counter.js';
import { RedisCounter } from './redis-counter.js';
import { openRedisLink } from './redis-link.js';
import { SharedCounter, type SharedCounterDeps } from './shared-counter.js';

/**
 * The memory of this process, that of the first process for all workers, the database, or a Redis server by its
 * address.
 */
export type CounterPlace = 'memory' | 'workers' | 'database' | { readonly redisUrl: string; readonly prefix: string };

/** The first process of several, as a worker counts there. */
export interface FirstProcess {
  readonly add: AddHits;
  /** Worker processes of the server. */
  readonly workers: number;
}

/** The place that the configuration means: several processes must count together; one counts faster for itself. */
export function counterPlace(
  config: Pick<Config, 'rate_limit_store' | 'workers' | 'redis' | 'redis_prefix'>,
): CounterPlace {
  const { rate_limit_store: wanted, workers, redis, redis_prefix: prefix } = config;
  if (wanted === 'memory' || wanted === 'database') return wanted;
  if (redis !== null) return { redisUrl: redis, prefix };
  return workers > 1 ? 'workers' : 'memory';
}

/** Opens the place. Throws configuration_invalid when Redis refuses what no waiting will change. */
export async function openRateCounter({
  place,
  firstProcess,
  ...deps
}: SharedCounterDeps & { readonly place: CounterPlace; readonly firstProcess?: FirstProcess | undefined }): Promise<{
  readonly counter: RateCounter;
  close(): void;
}> {
  const { clock, log } = deps;
  if (place === 'workers' && firstProcess !== undefined) {
    const { add, workers } = firstProcess;
    const shared = new BatchCounter({ add, clock, log, during: 'counting requests in the first process' });
    const counter = new AheadCounter({ shared, clock, workers });
    return { counter, close: () => counter.flush() };
  }
  if (place === 'memory' || place === 'workers') return { counter: new MemoryCounter(clock), close: () => undefined };
  if (place === 'database') {
    const counter = new SharedCounter(deps);
    return { counter, close: () => counter.close() };
  }
  const address = parseRedisUrl(place.redisUrl);
  if (address === undefined)
    throw new AppError('configuration_invalid', { message: 'HCD_REDIS_URL is not a Redis address' });
  const open = () => openRedisLink({ address, prefix: place.prefix, clock });
  const counter = new RedisCounter({ ...deps, open });
  await counter.start();
  return { counter, close: () => counter.close() };
}
