/** Page tokens as people look at them: the record with its state, without the digest. */
import type { Environment } from '../../config/environment.js';
import type { PageToken } from '../../config/page-token-list.js';
import { AppError } from '../../errors/app-error.js';
import { type CredentialState, credentialState } from '../credentials/secrets.js';
import { type ContentStore, readTokenSettings, type TokenSettings, unreadableList } from './token-settings.js';

export interface TokenView extends Omit<PageToken, 'hash'> {
  readonly state: CredentialState;
}

/** How a token is named: by its number, or by the public part of its text. */
export type TokenSelector = { readonly id: number } | { readonly prefix: string };

/** All tokens, the oldest first. `now` is Unix milliseconds. Throws refused for a list that cannot be understood. */
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

/** The token that is meant. Throws not_found. */
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

/** Whether the token has ended permanently, at Unix seconds. */
export function hasEnded({ revoked, expires }: Pick<PageToken, 'revoked' | 'expires'>, now: number): boolean {
  return revoked !== null || (expires !== null && expires <= now);
}
