/**
 * The tokens of the page delivery API as the setting `pages_rest_tokens` keeps them: a JSON list of records without
 * secrets (docs/reference/pages.md#tokens-in-the-store). One wrong record makes the whole list invalid, so that a list
 * that cannot be understood admits no caller.
 */
import { accept, refuse } from '../values/checked.js';
import { parseJson } from '../values/json.js';
import { timeValue } from './time-values.js';
import type { ValueType } from './value-type.js';

/** One record; times are Unix seconds. */
export interface PageToken {
  /** 1 or more; never given twice. */
  readonly id: number;
  readonly name: string | null;
  /** `pt_` and 8 hexadecimal digits; public. */
  readonly prefix: string;
  /** Keyed digest of the whole text. */
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

/** The records; null when the text is not such a list. An empty text, which the content system may leave, holds no records. */
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

/** The text to store, in ASCII: whatever character set the table of a content system has, nothing is lost. */
export function formatPageTokens(tokens: readonly PageToken[]): string {
  const records = tokens.map(({ id, name, prefix, hash, scopes, created, expires, revoked, lastUsed }) => ({
    id,
    name,
    prefix,
    hash,
    scopes,
    created: timeValue.format(created),
    expires: formatTime(expires),
    revoked: formatTime(revoked),
    lastUsed: formatTime(lastUsed),
  }));
  return JSON.stringify(records).replaceAll(
    /[^ -~]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

const accepts = 'the list of page tokens as hcd token writes it';

/** The list as its text. */
export const pageTokensValue: ValueType<string> = {
  kind: 'text',
  accepts,
  parse: (text) => (decodePageTokens(text) === null ? refuse(`must be ${accepts}`) : accept(text)),
  format: (text) => text,
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

/** Undefined for a text that is not a time: a token whose end cannot be read must not last forever. */
function decodeTime(value: unknown): number | null | undefined {
  if (value === null) return null;
  const parsed = typeof value === 'string' ? timeValue.parse(value) : null;
  return parsed?.ok ? parsed.value : undefined;
}

function formatTime(seconds: number | null): string | null {
  return seconds === null ? null : timeValue.format(seconds);
}
