/** The throttle of the page delivery API (interfaces.md B, Limits): so many requests a minute with one token. */
import type { Settings } from '../../config/setting-definitions.js';
import type { ApiModule } from '../../http/api.js';
import type { RateCounter } from '../../services/rate-limit/counter.js';
import { judge } from '../../services/rate-limit/rate-limit.js';

const windowSeconds = 60;

/** The limit check. The bucket is the token and the kind of access, wherever the requests come from. */
export function pagesLimit(
  settings: () => Pick<Settings, 'pages_rest_throttle_per_minute'>,
  counter: RateCounter,
): NonNullable<ApiModule['limit']> {
  return ({ identity, refused }) => {
    const max = settings().pages_rest_throttle_per_minute;
    // Without a good token there is nobody to count, and nothing to get but the public description.
    if (max === 0 || refused || identity.kind !== 'page_token') return null;
    const count = counter.count({
      // Every route reads; a write would have a bucket of its own, `|write`.
      bucket: `${identity.id}|read`,
      windowMs: windowSeconds * 1000,
      whenLost: 'alone',
    });
    const rule = { max, windowSeconds };
    return count instanceof Promise ? count.then((found) => judge(rule, found)) : judge(rule, count);
  };
}
