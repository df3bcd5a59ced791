/** Settings of the page delivery API. */

import { isJsonObject, parseJson } from '../values/json.js';
import { corsOriginsValue, everyOrigin, publicUrlValue } from './address-values.js';
import { listValue, rowsOf, textValue, timeValue } from './value-type.js';

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
  const texts = (token: PageToken) =>
    times.map((member) => [member, token[member] === null ? null : timeValue.format(token[member])]);
  const records = tokens.map((token) => ({ ...token, ...Object.fromEntries(texts(token)) }));
  return JSON.stringify(records).replaceAll(
    /[^ -~]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

export const pageTokensValue = textValue({
  accepts: 'the list of page tokens as hcd token writes it',
  isAccepted: (text) => decodePageTokens(text) !== null,
  isPrivate: true,
});

function decodeToken(value: unknown): PageToken | null {
  if (!isJsonObject(value)) return null;
  const { id, name = null, prefix, hash, scopes } = value;
  const [created, expires, revoked, lastUsed] = times.map((member) => decodeTime(value[member] ?? null));
  if (typeof created !== 'number' || expires === undefined || revoked === undefined || lastUsed === undefined) {
    return null;
  }
  if (typeof id !== 'number' || !Number.isSafeInteger(id) || id < 1) return null;
  if (name !== null && typeof name !== 'string') return null;
  if (!isOf(prefixForm, prefix) || !isOf(hashForm, hash)) return null;
  if (!Array.isArray(scopes) || scopes.length === 0) return null;
  const known = scopes.filter((scope) => isOf(scopeForm, scope));
  if (known.length < scopes.length) return null;
  return Object.freeze({
    ...{ id, name, prefix, hash, scopes: Object.freeze(known) },
    ...{ created, expires, revoked, lastUsed },
  });
}

const times = ['created', 'expires', 'revoked', 'lastUsed'] as const;

function isOf(form: RegExp, value: unknown): value is string {
  return typeof value === 'string' && form.test(value);
}

/** Undefined for a text that is not a time: a token with an unreadable end must not last forever. */
function decodeTime(value: unknown): number | null | undefined {
  if (value === null) return null;
  const parsed = typeof value === 'string' ? timeValue.parse(value) : null;
  return parsed?.ok ? parsed.value : undefined;
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
