/** Whether Redis counts requests, where it is meant to: asked as a server asks it. */
import { maskDatabaseUrl } from '../../config/database-url.js';
import { parseRedisUrl } from '../../config/redis-url.js';
import { counterPlace } from '../../identity/limits/open-counter.js';
import { describeFailure, isLasting, openRedisLink, RedisFailure } from '../../identity/limits/redis-link.js';
import { type ConfiguredFacts, error, type Finding, ok } from './check.js';

export async function checkRedis({ configuration: { config }, clock }: ConfiguredFacts): Promise<Finding> {
  const place = counterPlace(config);
  if (typeof place === 'string') {
    const unused =
      config.redis === null ? '' : `; rate_limit_store is ${place}, so HCD_REDIS_URL is used for revocations only`;
    return ok(`requests are counted in the ${place === 'memory' ? 'memory of each process' : 'database'}${unused}`);
  }
  const address = parseRedisUrl(place.redisUrl);
  const shown = maskDatabaseUrl(place.redisUrl);
  if (address === undefined) return error(`${shown} is no address of Redis`, 'Correct HCD_REDIS_URL');
  try {
    (await openRedisLink({ address, prefix: place.prefix, clock })).close();
    return ok(`requests are counted in Redis at ${shown}`);
  } catch (cause) {
    if (!(cause instanceof RedisFailure)) throw cause;
    return error(
      `${shown}: ${describeFailure(cause)}; ${effectOf(cause)}`,
      'Start Redis, or correct HCD_REDIS_URL; unset it to count in memory or in the database',
    );
  }
}

function effectOf(failure: RedisFailure): string {
  return isLasting(failure) ? 'hcd serve does not start' : 'meanwhile requests with credentials are answered 503';
}
