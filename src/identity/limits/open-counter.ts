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

/** `workers`: the first process counts for all of them. */
export type CounterPlace = 'memory' | 'workers' | 'database' | { readonly redisUrl: string; readonly prefix: string };

export interface FirstProcess {
  readonly add: AddHits;
  readonly workers: number;
}

/** Several processes must count together; a single one is faster in its own memory. */
export function counterPlace(
  config: Pick<Config, 'rate_limit_store' | 'workers' | 'redis' | 'redis_prefix'>,
): CounterPlace {
  const { rate_limit_store: wanted, workers, redis, redis_prefix: prefix } = config;
  if (wanted === 'memory' || wanted === 'database') return wanted;
  if (redis !== null) return { redisUrl: redis, prefix };
  return workers > 1 ? 'workers' : 'memory';
}

/** Throws configuration_invalid when Redis refuses what waiting will not change. */
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
