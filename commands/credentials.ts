/** What the commands for credentials share: scopes and the time when one ends. */
import { durationValue, integerValue, listValue, textValue, timeValue } from '../src/config/value-type.js';
import { siteScopes } from '../src/content/objects/core-objects.js';
import { refuse } from '../src/values/checked.js';
import { isIdText } from '../src/values/unsigned.js';
import type { Deps } from './deps.js';
import { optional, type Readable, readableValue, usageError } from './parameters.js';

/** Whether the site knows them is checked when the key is made. */
export const scopesValue = listValue(
  textValue({ accepts: 'a scope such as resources.read', pattern: /^[^\s,]{1,191}$/ }),
  { min: 1, accepts: 'a comma list of scopes such as resources.read,preview' },
);

export const rightsOfResources = ['read', 'create', 'update', 'delete'].map((action) => `resources.${action}`);

export const scopeSuggestions = [...rightsOfResources, 'preview', '*'];

type Expiry = { readonly afterSeconds: number } | { readonly atSeconds: number };

export const expiryValue = readableValue<Expiry>(
  { kind: 'time', accepts: `${durationValue.accepts}, or ${timeValue.accepts}` },
  (text) => {
    const duration = durationValue.parse(text);
    if (duration.ok) return { afterSeconds: duration.value };
    const time = timeValue.parse(text);
    return time.ok ? { atSeconds: time.value } : undefined;
  },
);

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

/** What names a credential. Errors do not repeat the text: it may be the credential itself. */
export function selectorValue<T>(
  { accepts, list }: { readonly accepts: string; readonly list: string },
  read: (text: string) => T | undefined,
): Readable<T> {
  const value = readableValue({ accepts }, read);
  const problem = `must be ${accepts} (see ${list})`;
  return { ...value, parse: (text) => (read(text) === undefined ? refuse(problem) : value.parse(text)) };
}

export function idSelector(text: string): { readonly id: number } | undefined {
  return isIdText(text) ? { id: Number(text) } : undefined;
}

export function rateParameters(what: string) {
  return {
    rateLimit: optional(
      integerValue({ min: 1, max: 1_000_000_000 }),
      `${what} (default: gateway_rate_limit_max_requests)`,
    ),
    rateWindow: optional(
      integerValue({ min: 1, max: 86_400 }),
      'Length of the window (default: gateway_rate_limit_window_seconds)',
      { placeholder: 'SECONDS' },
    ),
  };
}

export const historyMembers = ['createdOn', 'createdBy', 'rotatedOn', 'previousEndsOn', 'revokedOn'] as const;
