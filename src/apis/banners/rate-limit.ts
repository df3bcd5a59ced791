/** The banner API's rate limit (interfaces.md C): so many requests in one minute with the key, wherever they come from. */
import type { Settings } from '../../config/setting-definitions.js';
import type { ApiModule } from '../../http/api.js';
import type { Count, RateCounter } from '../../services/rate-limit/counter.js';
import { judge, type RateVerdict } from '../../services/rate-limit/rate-limit.js';

const windowSeconds = 60;
const noHeaders = Object.freeze({});

/** The limit check of the banner API. A wrong key is refused before anything is counted (contract 3.1). */
export function bannersLimit(
  settings: () => Pick<Settings, 'banners_api_rate_limit'>,
  counter: RateCounter,
): NonNullable<ApiModule['limit']> {
  return ({ identity, refused, caller }) => {
    const max = settings().banners_api_rate_limit;
    if (max === 0 || refused || identity.kind === 'anonymous') return null;
    // Its envelope always says Retry-After: 60; the other headers are the gateway's.
    const verdict = (count: Count): RateVerdict => ({ ...judge({ max, windowSeconds }, count), headers: noHeaders });
    const count = counter.count({
      bucket: `banners|${identity.id}`,
      windowMs: windowSeconds * 1000,
      whenLost: caller.method === 'GET' || caller.method === 'HEAD' ? 'alone' : 'refuse',
    });
    return count instanceof Promise ? count.then(verdict) : verdict(count);
  };
}
