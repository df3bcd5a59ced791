/** Page tokens in one setting, which writers change in turns (docs/pages.md#tokens). */
import type { Environment } from '../../config/definitions.js';
import { decodePageTokens, formatPageTokens, type PageToken } from '../../config/pages-settings.js';
import { lockSystemSetting, replaceSystemSetting } from '../../content/models/settings.js';
import { createCredential } from '../../crypto/credential-text.js';
import { hmacSha256Hex, randomHex } from '../../crypto/primitives.js';
import { AppError, invalidField } from '../../errors/app-error.js';
import { repeatable, type Tx } from '../../store/base/database.js';
import { type CredentialState, credentialState } from '../credentials/secrets.js';
import {
  type ContentStore,
  isPageScope,
  pageScopes,
  readTokenRows,
  readTokenSettings,
  siteIdKey,
  type TokenSettings,
  tokenSettings,
  tokensKey,
  tokensVariable,
  unreadableList,
} from './token-settings.js';

export interface TokenView extends Omit<PageToken, 'hash'> {
  readonly state: CredentialState;
}

/** By number, or by the public part of the text. */
export type TokenSelector = { readonly id: number } | { readonly prefix: string };

/** The oldest first. `now` is Unix milliseconds. Throws refused for a list that cannot be understood. */
export async function listTokens(
  store: ContentStore,
  { env, now }: { readonly env: Environment; readonly now: number },
): Promise<{ readonly tokens: readonly TokenView[] } & Pick<TokenSettings, 'isLocked'>> {
  const { tokens, problem, isLocked } = await readTokenSettings(store, env);
  if (problem !== null && !isLocked) throw unreadableList();
  return { tokens: tokens.map((token) => tokenView(token, now)), isLocked };
}

export function tokenView({ hash: _hash, ...token }: PageToken, now: number): TokenView {
  const revokedOn = token.revoked === null ? null : token.revoked * 1000;
  const expiresOn = token.expires === null ? null : token.expires * 1000;
  return { ...token, state: credentialState({ revokedOn, expiresOn }, { now }) };
}

/** Throws not_found. */
export function findToken<T extends Pick<PageToken, 'id' | 'prefix'>>(
  tokens: readonly T[],
  selector: TokenSelector,
): T {
  const found = tokens.find((token) =>
    'id' in selector ? token.id === selector.id : token.prefix === selector.prefix,
  );
  if (found !== undefined) return found;
  const given = 'id' in selector ? selector.id : selector.prefix;
  throw new AppError('not_found', { message: `There is no page token ${given}; hcd token list shows every token` });
}

/** `now` is Unix seconds. */
export function hasEnded({ revoked, expires }: Pick<PageToken, 'revoked' | 'expires'>, now: number): boolean {
  return revoked !== null || (expires !== null && expires <= now);
}

export interface TokenRequest {
  readonly env: Environment;
  readonly scopes: readonly string[];
  readonly name: string | null;
  /** Unix milliseconds; null = never. */
  readonly expiresOn: number | null;
  readonly now: number;
}

export interface IssuedToken extends Pick<PageToken, 'id' | 'name' | 'prefix' | 'scopes' | 'expires'> {
  readonly token: string;
}

/** Of the column in which the CMS keeps a setting. */
const mostBytes = 65_535;

/** Throws validation_failed for wrong scopes and an end in the past; refused when the list is full, bad or locked. */
export async function issueToken(store: ContentStore, request: TokenRequest): Promise<IssuedToken> {
  const { env, name, now } = request;
  const scopes = checkScopes(request.scopes);
  const expires = request.expiresOn === null ? null : Math.floor(request.expiresOn / 1000);
  if (expires !== null && expires * 1000 <= now) {
    throw invalidField('expires', 'The expiry of a token must be in the future');
  }
  checkNotLocked(env);
  const { lookupId, text } = createCredential('pt');
  const facts = { name, prefix: `pt_${lookupId}`, scopes, created: Math.floor(now / 1000), expires };
  const id = await changeTokens(store, async (tokens, tx): Promise<TokensChange<number | 'taken'>> => {
    const hash = hmacSha256Hex(await pepperForNew(tx, { prefix: store.prefix, env }), text);
    const known = tokens.find(({ prefix }) => prefix === facts.prefix);
    // After a commit of unknown outcome it may be in the list already.
    if (known !== undefined) return { tokens: null, result: known.hash === hash ? known.id : 'taken' };
    const made: PageToken = {
      id: Math.max(0, ...tokens.map(({ id }) => id)) + 1,
      hash,
      ...facts,
      revoked: null,
      lastUsed: null,
    };
    return { tokens: fitting([...tokens, made], facts.created), result: made.id };
  });
  if (id === 'taken') return issueToken(store, request);
  return Object.freeze({ id, name, token: text, prefix: facts.prefix, scopes, expires });
}

function checkNotLocked(env: Environment): void {
  if ((env[tokensVariable] ?? '') === '') return;
  throw new AppError('refused', {
    message: `${tokensVariable} is set in this environment and wins over the stored tokens: unset it first`,
  });
}

function checkScopes(scopes: readonly string[]): readonly string[] {
  const unknown = scopes.filter((scope) => !isPageScope(scope));
  const accepted = `Accepted scopes: ${pageScopes.join(', ')}`;
  if (scopes.length === 0) throw invalidField('scopes', `A token needs a scope. ${accepted}`);
  if (unknown.length > 0) throw invalidField('scopes', `There is no scope ${unknown.join(', ')}. ${accepted}`);
  return Object.freeze([...new Set(scopes)]);
}

/** Without a pepper, the site id, which the CMS keeps outside the database; one is made if necessary. */
async function pepperForNew(
  tx: Tx,
  { prefix, env }: { readonly prefix: string; readonly env: Environment },
): Promise<string> {
  const { pepper } = tokenSettings(await readTokenRows(tx, prefix), env);
  if (pepper !== null) return pepper;
  const fresh = randomHex(16);
  const stored = await lockSystemSetting(tx, prefix, { key: siteIdKey, initial: fresh });
  if (stored !== '') return stored;
  await replaceSystemSetting(tx, prefix, { key: siteIdKey, from: '', to: fresh });
  return fresh;
}

/** Leaves out ended tokens, the oldest first, until the list fits the column. */
function fitting(tokens: readonly PageToken[], now: number): readonly PageToken[] {
  let kept = tokens;
  while (sizeOf(kept) > mostBytes) {
    const oldest = kept.find((token) => hasEnded(token, now));
    if (oldest === undefined) {
      throw new AppError('refused', {
        message: 'The list of page tokens is full: revoke unused tokens (hcd token list)',
      });
    }
    kept = kept.filter((token) => token !== oldest);
  }
  return kept;
}

/** With room for the times that are still to come. */
function sizeOf(tokens: readonly PageToken[]): number {
  return formatPageTokens(
    tokens.map((token) => ({
      ...token,
      revoked: token.revoked ?? token.created,
      lastUsed: token.lastUsed ?? token.created,
    })),
  ).length;
}

/** From the next request on, in every process. Throws not_found, and refused when the list is bad or locked. */
export async function revokeToken(
  store: ContentStore,
  { selector, env, now }: { readonly selector: TokenSelector; readonly env: Environment; readonly now: number },
): Promise<{ readonly token: TokenView; readonly wasRevoked: boolean }> {
  checkNotLocked(env);
  // A read first, so that a wrong name makes no row in the settings.
  const { prefix } = findToken((await listTokens(store, { env, now })).tokens, selector);
  return changeTokens(store, async (tokens) => {
    const before = findToken(tokens, { prefix });
    const wasRevoked = before.revoked !== null;
    const after = wasRevoked ? before : { ...before, revoked: Math.floor(now / 1000) };
    const result = { token: tokenView(after, now), wasRevoked };
    return { tokens: wasRevoked ? null : tokens.map((one) => (one === before ? after : one)), result };
  });
}

interface TokensChange<T> {
  /** The whole new list; null leaves it as it is. */
  readonly tokens: readonly PageToken[] | null;
  readonly result: T;
}

/** Must be harmless to repeat. */
type TokensWork<T> = (tokens: readonly PageToken[], tx: Tx) => Promise<TokensChange<T>>;

/** Only tables without transactions let another process get in between. */
const mostAttempts = 100;

/** Throws refused when the stored list cannot be understood. */
export async function changeTokens<T>({ content, prefix }: ContentStore, work: TokensWork<T>): Promise<T> {
  for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
    const done = await content.write(async (tx) => {
      const from = await lockSystemSetting(tx, prefix, { key: tokensKey, initial: formatPageTokens([]) });
      const tokens = decodePageTokens(from);
      if (tokens === null) throw unreadableList();
      const change = await work(tokens, tx);
      const to = change.tokens === null ? from : formatPageTokens(change.tokens);
      const isDone = to === from || (await replaceSystemSetting(tx, prefix, { key: tokensKey, from, to }));
      return isDone ? change : 'overtaken';
    }, repeatable);
    if (done !== 'overtaken') return done.result;
  }
  throw new AppError('conflict', { message: `Other processes keep changing the setting ${tokensKey}; try again` });
}
