/** Access tokens for whoever runs the site: which there are, their end before time, and the removal of ended ones. */
import { AppError } from '../../errors/app-error.js';
import type { Store } from '../../store/open.js';
import {
  markOauthTokensRevoked,
  type OauthTokenRow,
  readOauthTokenById,
  readOauthTokens,
  removeEndedOauthTokens,
} from '../../store/rows/oauth-tokens.js';
import { loadClientRow } from './client-view.js';
import { seenTokensOf } from './seen-tokens.js';

export interface AccessTokenView extends Omit<OauthTokenRow, 'tokenHash'> {
  readonly state: 'active' | 'revoked' | 'expired';
}

/** Tokens that have not reached their end, or with `all` every one that is still stored; the first to end first. */
export async function listTokens(
  store: Store,
  { clientId, all, now }: { readonly clientId: string | null; readonly all: boolean; readonly now: number },
): Promise<AccessTokenView[]> {
  if (clientId !== null) await loadClientRow(store, clientId);
  const rows = await readOauthTokens(store.own.primary, { clientId, endsAfter: all ? -1 : now });
  return rows.map((row) => viewOf(row, now));
}

export interface TokenRevocation {
  readonly token: AccessTokenView;
  /** It had ended before, by time or by a revocation. */
  readonly hadEnded: boolean;
}

/** Ends one token; every server refuses it within a second. Throws not_found. `now` is Unix milliseconds. */
export async function revokeToken(store: Store, tokenId: string, now: number): Promise<TokenRevocation> {
  const before = await loadToken(store, tokenId);
  // Revoking twice is harmless, so that work whose outcome is unknown may be repeated.
  const repeat = { outcome: async () => undefined };
  await store.own.write((tx) => markOauthTokensRevoked(tx, { tokenId }, now), repeat);
  seenTokensOf(store.own).forget();
  const hadEnded = before.revokedOn !== null || before.expiresOn <= now;
  return { token: viewOf(await loadToken(store, tokenId), now), hadEnded };
}

/** Removes tokens that have ended by time, revoked ones included; gives how many. */
export async function pruneTokens({ own }: Store, now: number): Promise<number> {
  return own.write((tx) => removeEndedOauthTokens(tx, now), { outcome: async () => undefined });
}

async function loadToken({ own }: Store, tokenId: string): Promise<OauthTokenRow> {
  const row = await readOauthTokenById(own.primary, tokenId);
  if (row !== null) return row;
  const message = `There is no access token ${tokenId}; hcd oauth token list shows every token`;
  throw new AppError('not_found', { message });
}

function viewOf({ tokenHash: _digest, ...row }: OauthTokenRow, now: number): AccessTokenView {
  return { ...row, state: row.revokedOn !== null ? 'revoked' : row.expiresOn <= now ? 'expired' : 'active' };
}
