/** Settings of the page delivery API. */

import { accept, refuse } from '../values/checked.js';
import { parseJson } from '../values/json.js';
import { corsOriginsValue, everyOrigin, publicUrlValue } from './address-values.js';
import { listValue, rowsOf, textValue, timeValue, type ValueType } from './value-type.js';

const { integer, off, row } = rowsOf('pages');

/** Times are Unix seconds. */
export interface PageToken {
  /** 1 or more, never used again. */
  readonly id: number;
  readonly name: string | null;
  /** `pt_` and 8 hexadecimal digits; public. */
  readonly prefix: string;
  readonly hash: string;
  readonly scopes: readonly string[];
  readonly created: number;
  readonly expires: number | null;
  readonly revoked: number | null;
  readonly lastUsed: number | null;
}

const prefixForm = /^pt_[0-9a-f]{8}$/;
const hashForm = /^[0-9a-f]{64}$/;
/** Scopes of later versions are kept and grant nothing here; `*` is not a scope. */
const scopeForm = /^[a-z_]{1,50}\.[a-z_]{1,50}$/;

/** Null when the text is not such a list; an empty text, which the CMS may leave, holds no records. */
export function decodePageTokens(text: string): readonly PageToken[] | null {
  const list = text.trim() === '' ? [] : parseJson(text);
  if (!Array.isArray(list)) return null;
  const tokens: PageToken[] = [];
  for (const one of list) {
    const token = decodeToken(one);
    if (token === null || tokens.some(({ id, prefix }) => id === token.id || prefix === token.prefix)) return null;
    tokens.push(token);
  }
  return Object.freeze(tokens);
}

/** In ASCII: whatever character set the table of a CMS has, nothing is lost. */
export function formatPageTokens(tokens: readonly PageToken[]): string {
  const records = tokens.map((token) => ({
    ...token,
    created: timeValue.format(token.created),
    expires: formatTime(token.expires),
    revoked: formatTime(token.revoked),
    lastUsed: formatTime(token.lastUsed),
  }));
  return JSON.stringify(records).replaceAll(
    /[^ -~]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** A refusal does not repeat the text. */
export const pageTokensValue: ValueType<string> = {
  ...textValue({ accepts: 'the list of page tokens as hcd token writes it' }),
  parse: (text) =>
    decodePageTokens(text) === null ? refuse('must be the list of page tokens as hcd token writes it') : accept(text),
};

function decodeToken(value: unknown): PageToken | null {
  if (typeof value !== 'object' || value === null) return null;
  const { id, name, prefix, hash, scopes } = { id: null, name: null, prefix: null, hash: null, scopes: null, ...value };
  const times = decodeTimes(value);
  if (times === null || typeof id !== 'number' || !Number.isSafeInteger(id) || id < 1) return null;
  if (name !== null && typeof name !== 'string') return null;
  if (typeof prefix !== 'string' || !prefixForm.test(prefix)) return null;
  if (typeof hash !== 'string' || !hashForm.test(hash)) return null;
  const found = decodeScopes(scopes);
  return found === null ? null : Object.freeze({ id, name, prefix, hash, scopes: found, ...times });
}

function decodeScopes(value: unknown): readonly string[] | null {
  if (!Array.isArray(value) || value.length === 0) return null;
  const scopes = value.filter((scope) => typeof scope === 'string' && scopeForm.test(scope)).map(String);
  return scopes.length === value.length ? Object.freeze(scopes) : null;
}

type Times = Pick<PageToken, 'created' | 'expires' | 'revoked' | 'lastUsed'>;

function decodeTimes(value: object): Times | null {
  const given = { created: null, expires: null, revoked: null, lastUsed: null, ...value };
  const [created, expires, revoked, lastUsed] = [given.created, given.expires, given.revoked, given.lastUsed].map(
    decodeTime,
  );
  if (created === undefined || expires === undefined || revoked === undefined || lastUsed === undefined) return null;
  return created === null ? null : { created, expires, revoked, lastUsed };
}

/** Undefined for a text that is not a time: a token with an unreadable end must not last forever. */
function decodeTime(value: unknown): number | null | undefined {
  if (value === null) return null;
  const parsed = typeof value === 'string' ? timeValue.parse(value) : null;
  return parsed?.ok ? parsed.value : undefined;
}

function formatTime(seconds: number | null): string | null {
  return seconds === null ? null : timeValue.format(seconds);
}

export const pagesSettings = Object.freeze({
  pages_rest_api_enabled: off('Serves the page delivery API.'),
  pages_public_url: row(
    { type: publicUrlValue, default: '' },
    'Public address in the OpenAPI document of pages; empty = paths.',
  ),
  pages_rest_tokens: row(
    { type: pageTokensValue, default: '[]', secret: true, managedBy: 'hcd token' },
    'Page tokens with their digests; changed by hcd token only.',
  ),
  pages_rest_token_pepper: row(
    {
      type: textValue({
        accepts: 'a text of 16 to 128 visible characters without commas, or empty for the site id',
        pattern: /^(?:[!-+\--~]{16,128})?$/,
      }),
      default: '',
      secret: true,
    },
    'Part of the digest of every page token; empty = the site id.',
  ),
  pages_rest_token_old_peppers: row(
    {
      type: listValue(textValue({ accepts: 'a text of 1 to 128 visible characters', pattern: /^[!-~]{1,128}$/ }), {
        accepts: 'a comma list of earlier peppers or site ids',
      }),
      default: Object.freeze([]),
      secret: true,
    },
    'Earlier peppers; tokens made with one work while it is listed.',
  ),
  pages_rest_throttle_per_minute: integer(
    { min: 0, max: 1_000_000_000, default: 120, unit: 'requests' },
    'Requests with one page token in a minute; 0 is unlimited.',
  ),
  pages_public_api_enabled: off('Serves the free page API, without tokens.'),
  pages_public_api_key: row(
    {
      // Any text is accepted as the key: a refused one would leave the API open.
      type: textValue({ accepts: 'a text, or empty for none', pattern: /^[\s\S]*$/ }),
      default: '',
      secret: true,
      kept: 'digest',
    },
    'Key of every call of the free page API, or sha256: and its SHA-256, as hcd stores it; empty = none.',
  ),
  pages_public_api_cors_origins: row(
    { type: corsOriginsValue, default: Object.freeze([everyOrigin]) },
    'Origins whose web pages may use the free page API.',
  ),
});
