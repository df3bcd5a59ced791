/** What the commands for credentials share: scopes and the time when one ends. */
import { durationValue, listValue, textValue, timeValue } from '../src/config/value-type.js';
import { siteScopes } from '../src/content/objects/core-objects.js';
import type { Deps } from './deps.js';
import { type Readable, usageError } from './parameters.js';

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

export async function offerScopes(deps: Deps): Promise<readonly string[]> {
  const site = await deps.openSite();
  return siteScopes(site.store, await site.registry());
}

export const historyMembers = ['createdOn', 'createdBy', 'rotatedOn', 'previousEndsOn', 'revokedOn'] as const;
