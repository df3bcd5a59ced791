/** The checks of the banner API in their order: key, limit, right (docs/banners.md#answers). */

import { admit, holdsScope } from '../../access/admit.js';
import type { Identity } from '../../access/identity.js';
import { decodeReadKey } from '../../config/banner-settings.js';
import type { Settings } from '../../config/settings.js';
import { isSameSecret, sha256Hex } from '../../crypto/primitives.js';
import { AppError } from '../../errors/app-error.js';
import type { Caller, Limit, RouteQuestion } from '../../http/interface/api.js';
import { onlyValue } from '../../http/interface/query-pairs.js';
import { clientNetwork, readBearer, readKeyHeader } from '../../http/interface/request-headers.js';
import { countRequest, type RateCounter, type RefusedKeys } from '../../identity/limits/counter.js';
import { after } from '../../values/after.js';

export const readScope = 'banners';
export const writeScope = 'banners.write';

export type KeySettings = Pick<
  Settings,
  'banners_api_key' | 'banners_api_key_previous' | 'banners_api_key_previous_ends' | 'banners_api_read_keys'
>;

/** Null (401 `unauthorized`) unless a key that works was sent; throws bad_request for a repeated api_key. */
export function authenticateBanners(
  caller: Caller,
  { settings, now }: { readonly settings: KeySettings; readonly now: number },
): Identity | null {
  const given = sentKey(caller);
  if (given === undefined) return null;
  // Compares with every key, so that the time of an answer reveals nothing.
  const { banners_api_key: key, banners_api_key_previous: previous, banners_api_key_previous_ends: ends } = settings;
  const isKey = isSameSecret(given, key) && key !== '';
  const isPrevious = isSameSecret(given, previous) && previous !== '' && ends !== null && now < ends * 1000;
  const digest = sha256Hex(given);
  const [readKey] = settings.banners_api_read_keys.map(decodeReadKey).filter((one) => isSameSecret(digest, one.digest));
  if (isKey || isPrevious) return keyHolder;
  if (readKey === undefined) return null;
  return { kind: 'api_key', id: `banners_read:${readKey.name}`, scopes: new Set([readScope]), userId: null };
}

/** Both keys of a rotation are the same caller. */
const keyHolder: Identity = Object.freeze({
  kind: 'api_key',
  id: 'banners_api_key',
  scopes: new Set(['*']),
  userId: null,
});

function sentKey(caller: Caller): string | undefined {
  const sent = readBearer(caller) ?? readKeyHeader(caller);
  return sent ?? onlyValue('api_key', caller.queryValues('api_key'));
}

const windowSeconds = 60;

/** The limit check of the banner API. Requests with a refused key count only as refused keys. */
export function bannersLimit(
  settings: () => Pick<Settings, 'banners_api_rate_limit' | 'gateway_rate_limit_without_counter'>,
  { counter, refusedKeys }: { readonly counter: RateCounter; readonly refusedKeys: RefusedKeys },
): Limit {
  return ({ identity, refused, caller }) => {
    if (refused) return sentKey(caller) === undefined ? null : refusedKeys.verdict(clientNetwork(caller.clientIp));
    const { banners_api_rate_limit: max, gateway_rate_limit_without_counter: withoutCounter } = settings();
    if (max === 0 || identity.kind === 'anonymous') return null;
    // The envelope always sends Retry-After: 60; the other headers belong to the gateway.
    const counted = countRequest(counter, {
      bucket: `banners|${identity.id}`,
      rule: { max, windowSeconds },
      whenLost:
        caller.method === 'GET' || caller.method === 'HEAD' || withoutCounter === 'count-alone' ? 'alone' : 'refuse',
    });
    return after(counted, (verdict) => ({ ...verdict, headers: {} }));
  };
}

const sessions = { holds: () => false };

/** Throws write_disabled (403 `write disabled`) while writes are off, scope_denied for a key that may only read. */
export function admitBanners(
  { endpoint, identity, params }: RouteQuestion,
  settings: { readonly banners_api_write_enabled: boolean },
): void {
  if (endpoint.method !== 'GET') {
    if (!settings.banners_api_write_enabled) throw new AppError('write_disabled');
    if (identity.kind === 'anonymous') throw new AppError('token_required');
    if (!holdsScope(identity, writeScope, sessions)) {
      throw new AppError('scope_denied', { message: 'this key may only read' });
    }
  }
  admit({ access: endpoint.access, identity, params, sessions });
}
