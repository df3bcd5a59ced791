/** The settings of page tokens (docs/pages.md#the-pepper), on the primary so that a revocation holds at once. */
import { type Environment, variableOf } from '../../config/definitions.js';
import { decodePageTokens, type PageToken } from '../../config/pages-settings.js';
import { effectiveSettings } from '../../config/settings.js';
import { readSystemSettings, type SettingRow } from '../../content/models/settings.js';
import { isSameSecret, sha256Hex } from '../../crypto/primitives.js';
import { AppError } from '../../errors/app-error.js';
import type { Reader } from '../../store/base/database.js';
import type { Store } from '../../store/open/open.js';

export type ContentStore = Pick<Store, 'content' | 'prefix'>;

export interface TokenSettings {
  readonly tokens: readonly PageToken[];
  readonly problem: string | null;
  /** The environment sets the list, so the stored one is ignored. */
  readonly isLocked: boolean;
  /** For new tokens; null without a pepper or a site id. */
  readonly pepper: string | null;
  /** For verifying, the current one first. */
  readonly peppers: readonly string[];
}

export const tokensKey = 'pages_rest_tokens';
export const siteIdKey = 'site_id';
export const tokensVariable = variableOf(tokensKey);

const keys = [tokensKey, 'pages_rest_token_pepper', 'pages_rest_token_old_peppers', siteIdKey];

export function readTokenRows(reader: Reader, prefix: string): Promise<readonly SettingRow[]> {
  return readSystemSettings(reader, prefix, keys);
}

export function tokenSettings(rows: readonly SettingRow[], env: Environment): TokenSettings {
  const { values, sources, problems } = effectiveSettings(rows, env);
  const siteId = rows.find(({ key }) => key === siteIdKey)?.value ?? '';
  const current = values.pages_rest_token_pepper === '' ? siteId : values.pages_rest_token_pepper;
  return Object.freeze({
    tokens: decodePageTokens(values.pages_rest_tokens) ?? [],
    problem: problems.find(({ key, source }) => key === tokensKey && source === 'database')?.problem ?? null,
    isLocked: sources.pages_rest_tokens === 'environment',
    pepper: current === '' ? null : current,
    peppers: Object.freeze([...(current === '' ? [] : [current]), ...values.pages_rest_token_old_peppers]),
  });
}

export async function readTokenSettings({ content, prefix }: ContentStore, env: Environment): Promise<TokenSettings> {
  return tokenSettings(await readTokenRows(content.primary, prefix), env);
}

/** Continuing with an empty list would end every token. */
export function unreadableList(): AppError {
  return new AppError('refused', {
    message: `The setting ${tokensKey} is not the list that hcd token writes, and no token works. Restore it from a backup, or start again without tokens: hcd setting unset ${tokensKey}`,
  });
}

/** docs/pages.md#tokens */
export const pageScopes = Object.freeze(['pages.read', 'catalog.read'] as const);

type PageScope = (typeof pageScopes)[number];

export function isPageScope(text: string): text is PageScope {
  return pageScopes.some((scope) => scope === text);
}

const form = /^sha256:([0-9a-f]{64})(:short)?$/;

export const guessableBelow = 16;

/** `digest` is null where the text itself is kept. */
export function readKeptKey(value: string): { readonly digest: string | null; readonly isShort: boolean } {
  const [whole, digest = null, short] = form.exec(value) ?? [];
  return { digest, isShort: whole === undefined ? value.length < guessableBelow : short !== undefined };
}

/** A key in a setting, as text or as `sha256:` digest. `:short` marks a short key, which a digest cannot show. */
export function isKeptKey(given: string, value: string): boolean {
  const { digest } = readKeptKey(value);
  return digest === null ? isSameSecret(given, value) : isSameSecret(sha256Hex(given), digest);
}

export function formatKeptKey(key: string): string {
  return `sha256:${sha256Hex(key)}${key.length < guessableBelow ? ':short' : ''}`;
}
