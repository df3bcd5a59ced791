/**
 * The one configured key of the banner API, by Authorization: Bearer, X-API-Key or the query parameter api_key, in
 * this order: the first one present counts.
 */
import type { Identity } from '../../access/identity.js';
import { AppError } from '../../errors/app-error.js';
import type { Caller } from '../../http/api.js';

export interface KeyCheck {
  /** Empty when no key is configured: then nobody gets in. */
  readonly configured: string;
  /** Compares in constant time. */
  readonly isSame: (given: string, expected: string) => boolean;
}

/** Throws invalid_token (401 `unauthorized`) unless the configured key was sent; bad_request for a repeated api_key. */
export function authenticateBanners(caller: Caller, { configured, isSame }: KeyCheck): Identity {
  const given = sentKey(caller);
  if (given === undefined || configured === '' || !isSame(given, configured)) throw new AppError('invalid_token');
  return keyHolder;
}

/** There is one key, so there is one identity; the key opens everything of this API and nothing else. */
const keyHolder: Identity = Object.freeze({
  kind: 'api_key',
  id: 'banners_api_key',
  scopes: new Set(['*']),
  userId: null,
});

function sentKey(caller: Caller): string | undefined {
  const authorization = caller.header('authorization');
  // A header in another form than Bearer is a wrong credential, not an absent one.
  if (authorization !== undefined) return /^Bearer +(\S+)$/i.exec(authorization)?.[1];
  const header = caller.header('x-api-key');
  if (header !== undefined) return header;
  const [key, ...others] = caller.queryValues('api_key');
  if (others.length > 0)
    throw new AppError('bad_request', { message: 'api_key is given more than once; give it once' });
  return key;
}
