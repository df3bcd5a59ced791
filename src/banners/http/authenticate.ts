/**
 * The keys of the banner API, by Authorization: Bearer, X-API-Key or the query parameter api_key, in this order: the
 * first one present counts. The configured key and, for a while, the one before it open everything; keys of
 * banners_api_read_keys open what only reads.
 */
import type { Identity } from '../../access/identity.js';
import type { Settings } from '../../config/setting-definitions.js';
import { AppError } from '../../errors/app-error.js';
import type { Caller } from '../../http/interface/api.js';
import { readScope } from './management-deps.js';

export type KeySettings = Pick<
  Settings,
  'banners_api_key' | 'banners_api_key_previous' | 'banners_api_key_previous_ends' | 'banners_api_read_keys'
>;

export interface KeyCheck {
  readonly settings: KeySettings;
  /** Compares in constant time. */
  readonly isSame: (given: string, expected: string) => boolean;
  readonly sha256: (text: string) => string;
  /** Unix milliseconds. */
  readonly now: number;
}

/** Throws invalid_token (401 `unauthorized`) unless a key that works was sent; bad_request for a repeated api_key. */
export function authenticateBanners(caller: Caller, check: KeyCheck): Identity {
  const given = sentKey(caller);
  const identity = given === undefined ? null : identityOf(given, check);
  if (identity === null) throw new AppError('invalid_token');
  return identity;
}

/** Every key is looked at, whichever fits: the time of an answer tells nothing. */
function identityOf(given: string, { settings, isSame, sha256, now }: KeyCheck): Identity | null {
  const { banners_api_key: key, banners_api_key_previous: previous, banners_api_key_previous_ends: ends } = settings;
  const isKey = isSame(given, key) && key !== '';
  const isPrevious = isSame(given, previous) && previous !== '' && ends !== null && now < ends * 1000;
  const digest = sha256(given);
  const names = settings.banners_api_read_keys
    .map((element) => element.split(':'))
    .filter(([, expected = '']) => isSame(digest, expected))
    .map(([name = '']) => name);
  if (isKey || isPrevious) return keyHolder;
  return names[0] === undefined ? null : readKeyHolder(names[0]);
}

/** Both keys of a rotation are the same caller; the key opens everything of this API and nothing else. */
const keyHolder: Identity = Object.freeze({
  kind: 'api_key',
  id: 'banners_api_key',
  scopes: new Set(['*']),
  userId: null,
});

function readKeyHolder(name: string): Identity {
  return { kind: 'api_key', id: `banners_read:${name}`, scopes: new Set([readScope]), userId: null };
}

/** The key that a request shows; undefined for none. */
export function sentKey(caller: Caller): string | undefined {
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
