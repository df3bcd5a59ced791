/** What the commands for API keys of the gateway share. */
import { durationValue, listValue, textValue, timeValue } from '../../src/config/value-type.js';
import { siteScopes } from '../../src/content/objects/core-objects.js';
import type { ApiKeySelector, IssuedKey, KeyView } from '../../src/identity/keys/manage-keys.js';
import { isoTime, type JsonRecord } from '../command.js';
import type { Deps } from '../deps.js';
import { type Readable, required, usageError } from '../parameters.js';

const idAccepts = 'the id or the lookup id (16 hexadecimal digits) of a key';

/** Errors do not repeat the text: it may be the key itself. */
const selectorValue: Readable<ApiKeySelector> = {
  kind: 'text',
  accepts: idAccepts,
  parse(text) {
    if (/^[0-9a-f]{16}$/.test(text)) return { ok: true, value: { lookupId: text } };
    if (/^[1-9]\d{0,9}$/.test(text)) return { ok: true, value: { id: Number(text) } };
    return { ok: false, problem: `must be ${idAccepts} (see hcd key list)` };
  },
};

export const keyParameter = required(selectorValue, {
  placeholder: 'ID',
  description: 'Id or lookup id of the key; the lookup id is the part between the underscores of the key',
});

/** Whether the site knows them is checked when the key is made. */
export const scopesValue = listValue(
  textValue({ accepts: 'a scope such as resources.read', pattern: /^[^\s,]{1,191}$/ }),
  { min: 1, accepts: 'a comma list of scopes such as resources.read,preview' },
);

export const scopeSuggestions = [
  'resources.read',
  'resources.create',
  'resources.update',
  'resources.delete',
  'preview',
  '*',
] as const;

type Expiry = { readonly afterSeconds: number } | { readonly atSeconds: number };

const expiryAccepts = `${durationValue.accepts}, or ${timeValue.accepts}`;

export const expiryValue: Readable<Expiry> = {
  kind: 'time',
  accepts: expiryAccepts,
  parse(text) {
    const duration = durationValue.parse(text);
    if (duration.ok) return { ok: true, value: { afterSeconds: duration.value } };
    const time = timeValue.parse(text);
    if (time.ok) return { ok: true, value: { atSeconds: time.value } };
    return { ok: false, problem: `must be ${expiryAccepts}, not ${JSON.stringify(text.slice(0, 60))}` };
  },
};

/** Unix milliseconds; null = never. */
export function endOf(expires: Expiry | undefined, now: number): number | null {
  if (expires === undefined) return null;
  const end = 'atSeconds' in expires ? expires.atSeconds * 1000 : now + expires.afterSeconds * 1000;
  if (end <= now) throw usageError({ '--expires': 'must be in the future' });
  return end;
}

export function issuedRecord({ id, name, key, lookupId, scopes, expiresOn }: IssuedKey): JsonRecord {
  return { id, name, key, lookup_id: lookupId, scopes, expires_on: isoTime(expiresOn) };
}

export function keyRecord(key: KeyView): JsonRecord {
  return {
    id: key.id,
    name: key.name,
    lookup_id: key.lookupId,
    scopes: key.scopes,
    state: key.state,
    user: key.user,
    rate_limit_max: key.rateLimitMax,
    rate_limit_window: key.rateLimitWindow,
    expires_on: isoTime(key.expiresOn),
    last_used_on: isoTime(key.lastUsedOn),
    created_on: isoTime(key.createdOn),
    created_by: key.createdBy,
    rotated_on: isoTime(key.rotatedOn),
    previous_ends_on: isoTime(key.previousEndsOn),
    revoked_on: isoTime(key.revokedOn),
  };
}

export async function offerScopes(deps: Deps): Promise<readonly string[]> {
  const site = await deps.openSite();
  return siteScopes(site.store, await site.registry());
}
