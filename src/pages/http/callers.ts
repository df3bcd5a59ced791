/** Callers of the page delivery API (docs/pages.md#refusals), with a page token or none; their limit. */
import { anonymous, type Identity } from '../../access/identity.js';
import type { Settings } from '../../config/setting-definitions.js';
import { AppError } from '../../errors/app-error.js';
import { type Caller, type Limit, readPreviewToken } from '../../http/interface/api.js';
import { clientNetwork } from '../../http/interface/forwarded.js';
import { readBearer } from '../../http/interface/request-headers.js';
import type { RateCounter } from '../../identity/limits/counter.js';
import { countRequest } from '../../identity/limits/rate-limit.js';
import type { RefusedKeys } from '../../identity/limits/refused-keys.js';
import type { VerifyPreview } from '../../identity/previews/preview-verifier.js';
import { after } from '../../values/after.js';

export interface PageTokens {
  /** Null when the token is unknown, malformed, expired or revoked; a promise only if the database has to be asked. */
  verify(credential: string): Identity | null | Promise<Identity | null>;
}

/** A preview wins over a page token, which frontends always send. Throws invalid_token. */
export function authenticatePages(
  caller: Caller,
  { tokens, verifyPreview }: { readonly tokens: PageTokens; readonly verifyPreview: VerifyPreview },
) {
  const preview = readPreviewToken(caller);
  if (preview !== null) return after(verifyPreview(preview), verified);
  const credential = readBearer(caller);
  if (credential === null) return anonymous;
  if (credential === '') throw new AppError('invalid_token');
  return after(tokens.verify(credential), verified);
}

function verified(identity: Identity | null): Identity {
  if (identity === null) throw new AppError('invalid_token');
  return identity;
}

const windowSeconds = 60;

export function pagesLimit(
  settings: () => Pick<Settings, 'pages_rest_throttle_per_minute'>,
  { counter, refusedKeys }: { readonly counter: RateCounter; readonly refusedKeys: RefusedKeys },
): Limit {
  const countRefused = async (clientIp: string) => {
    const error = await refusedKeys.count(clientNetwork(clientIp));
    return error === null ? null : { headers: {}, error };
  };
  return ({ identity, refused, caller }) => {
    if (refused) return countRefused(caller.clientIp);
    const max = settings().pages_rest_throttle_per_minute;
    // Without a valid token there is only the public description to read.
    if (max === 0 || (identity.kind !== 'page_token' && identity.kind !== 'preview')) return null;
    // Every route reads; writes would have another bucket, `|write`.
    return countRequest(counter, { bucket: `${identity.id}|read`, rule: { max, windowSeconds }, whenLost: 'alone' });
  };
}
