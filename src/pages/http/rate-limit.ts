/**
 * The throttle of the page delivery API: so many requests a minute with one token. Tokens that were refused are counted
 * by the network that sent them.
 */
import type { Settings } from '../../config/setting-definitions.js';
import type { AppError } from '../../errors/app-error.js';
import type { Limit } from '../../http/interface/api.js';
import { clientNetwork } from '../../http/interface/client-ip.js';
import type { RateCounter } from '../../identity/limits/counter.js';
import { judge, type RateVerdict } from '../../identity/limits/rate-limit.js';
import type { RefusedKeys } from '../../identity/limits/refused-keys.js';

const windowSeconds = 60;

/** The limit check. The bucket is the token and the kind of access, wherever the requests come from. */
export function pagesLimit(
  settings: () => Pick<Settings, 'pages_rest_throttle_per_minute'>,
  { counter, refusedKeys }: { readonly counter: RateCounter; readonly refusedKeys: RefusedKeys },
): Limit {
  const verdictOf = (error: AppError | null): RateVerdict | null => (error === null ? null : { headers: {}, error });
  return ({ identity, refused, caller }) => {
    if (refused) {
      const found = refusedKeys.count(clientNetwork(caller.clientIp));
      return found instanceof Promise ? found.then(verdictOf) : verdictOf(found);
    }
    const max = settings().pages_rest_throttle_per_minute;
    // Without a good token there is nobody to count, and nothing to get but the public description.
    if (max === 0 || identity.kind !== 'page_token') return null;
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
