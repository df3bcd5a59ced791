/**
 * The banner API's rate limit: so many requests in one minute with the key, wherever they come from. Keys that were
 * refused are counted by the network that sent them.
 */
import type { Settings } from '../../config/setting-definitions.js';
import type { AppError } from '../../errors/app-error.js';
import type { Limit } from '../../http/interface/api.js';
import { clientNetwork } from '../../http/interface/client-ip.js';
import type { Count, RateCounter } from '../../identity/limits/counter.js';
import { judge, type RateVerdict } from '../../identity/limits/rate-limit.js';
import type { RefusedKeys } from '../../identity/limits/refused-keys.js';
import { sentKey } from './authenticate.js';

const windowSeconds = 60;
const noHeaders = Object.freeze({});

/** The limit check of the banner API. Of requests whose key was refused only the keys are counted. */
export function bannersLimit(
  settings: () => Pick<Settings, 'banners_api_rate_limit'>,
  { counter, refusedKeys }: { readonly counter: RateCounter; readonly refusedKeys: RefusedKeys },
): Limit {
  return ({ identity, refused, caller }) => {
    const verdictOf = (error: AppError | null): RateVerdict | null =>
      error === null ? null : { headers: noHeaders, error };
    if (refused) {
      if (sentKey(caller) === undefined) return null;
      const found = refusedKeys.count(clientNetwork(caller.clientIp));
      return found instanceof Promise ? found.then(verdictOf) : verdictOf(found);
    }
    const max = settings().banners_api_rate_limit;
    if (max === 0 || identity.kind === 'anonymous') return null;
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
