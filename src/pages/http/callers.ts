/** Callers of the page delivery API (docs/pages-tokens.md#answers), with a page token as Bearer or none; their limit. */
import { anonymous, type Identity } from '../../access/identity.js';
import type { Settings } from '../../config/setting-definitions.js';
import { AppError } from '../../errors/app-error.js';
import type { Caller, Limit } from '../../http/interface/api.js';
import { clientNetwork } from '../../http/interface/client-ip.js';
import type { RateCounter } from '../../identity/limits/counter.js';
import { judge, type RateVerdict } from '../../identity/limits/rate-limit.js';
import type { RefusedKeys } from '../../identity/limits/refused-keys.js';

/** Gives the identity of a token; null when it is unknown, malformed, expired or revoked. */
export type VerifyToken = (credential: string) => Identity | null | Promise<Identity | null>;

/** Longer than any token: refused without a look-up. */
const longest = 256;

/** Anonymous without Authorization header. Throws invalid_token when it does not hold a good token. */
export function authenticatePages(caller: Caller, verify: VerifyToken): Identity | Promise<Identity> {
  const authorization = caller.header('authorization');
  if (authorization === undefined) return anonymous;
  const credential = /^bearer +(\S+)$/i.exec(authorization.trim())?.[1];
  if (credential === undefined || credential.length > longest) throw new AppError('invalid_token');
  const identity = verify(credential);
  return identity instanceof Promise ? identity.then(known) : known(identity);
}

function known(identity: Identity | null): Identity {
  if (identity === null) throw new AppError('invalid_token');
  return identity;
}

const windowSeconds = 60;

/**
 * The throttle: so many requests a minute with one token, from all addresses together. Refused tokens are counted by the
 * network that sent them.
 */
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
    // Without a good token there is no bucket, and only the public description to read.
    if (max === 0 || identity.kind !== 'page_token') return null;
    const count = counter.count({
      // Every route reads; writes would have another bucket, `|write`.
      bucket: `${identity.id}|read`,
      windowMs: windowSeconds * 1000,
      whenLost: 'alone',
    });
    const rule = { max, windowSeconds };
    return count instanceof Promise ? count.then((found) => judge(rule, found)) : judge(rule, count);
  };
}
