/** Access tokens for the operator. */

import { AppError } from '../../errors/app-error.js';
import { repeatable } from '../../store/base/database.js';
import type { Store } from '../../store/open/open.js';
import { endCredentials } from '../credentials/secrets.js';
import {
  findOauthTokens,
  type OauthTokenRow,
  oauthTokens,
  removeEndedOauthTokens,
  revokeOauthTokens,
} from '../models/oauth.js';
import { findUsers } from '../models/users.js';
import { passwordMark, standingProblem } from '../users/user-standing.js';
import { loadClientRow } from './manage-clients.js';

export interface AccessTokenView extends Omit<OauthTokenRow, 'tokenHash' | 'userId' | 'passwordMark'> {
  /** The first that applies counts; `user_inactive` covers blocked and removed users. */
  readonly state: 'revoked' | 'expired' | 'user_inactive' | 'password_changed' | 'active';
  /** The user who logged in for it; `#7` for a removed one; null = the client acts for itself. */
  readonly user: string | null;
}

/** `all` includes ended tokens that are still stored. The first to end comes first. */
export async function listTokens(
  store: Store,
  { clientId, all, now }: { readonly clientId: string | null; readonly all: boolean; readonly now: number },
): Promise<AccessTokenView[]> {
  if (clientId !== null) await loadClientRow(store, clientId);
  const rows = await findOauthTokens(store.own.primary, { clientId, endsAfter: all ? -1 : now });
  return viewTokens(store, rows, now);
}

/** `hadEnded`: by time or by a revocation. Throws not_found. `now` is Unix milliseconds. */
export async function revokeToken(
  store: Store,
  tokenId: string,
  now: number,
): Promise<{ readonly token: AccessTokenView; readonly hadEnded: boolean }> {
  const before = await loadToken(store, tokenId);
  await endCredentials(store.own, (tx) => revokeOauthTokens(tx, { tokenId }, now));
  const [token] = await viewTokens(store, [await loadToken(store, tokenId)], now);
  if (token === undefined) throw tokenNotFound(tokenId);
  return { token, hadEnded: before.revokedOn !== null || before.expiresOn <= now };
}

export async function pruneTokens({ own }: Store, now: number): Promise<number> {
  return own.write((tx) => removeEndedOauthTokens(tx, now), repeatable);
}

async function loadToken({ own }: Store, tokenId: string): Promise<OauthTokenRow> {
  const row = await oauthTokens.on(own.primary).findOne({ where: { tokenId } });
  if (row !== null) return row;
  throw tokenNotFound(tokenId);
}

function tokenNotFound(tokenId: string): AppError {
  const message = `There is no access token ${tokenId}; hcd oauth token list shows every token`;
  return new AppError('not_found', { message });
}

async function viewTokens(
  { content, prefix }: Store,
  rows: readonly OauthTokenRow[],
  now: number,
): Promise<AccessTokenView[]> {
  const ids = [...new Set(rows.flatMap(({ userId }) => userId ?? []))];
  const byId = new Map((await findUsers(content.primary, prefix, ids)).map((user) => [user.id, user]));
  return rows.map(({ tokenHash: _digest, passwordMark: mark, userId, ...row }) => {
    const user = userId === null ? null : byId.get(userId);
    const stateOfUser = (): AccessTokenView['state'] => {
      if (user === undefined || (user !== null && standingProblem(user, now / 1000) !== null)) return 'user_inactive';
      const isSamePassword = user === null || mark === null || mark === passwordMark(user.hash);
      return isSamePassword ? 'active' : 'password_changed';
    };
    const ended = row.expiresOn <= now ? 'expired' : null;
    const state = row.revokedOn !== null ? 'revoked' : (ended ?? stateOfUser());
    return { ...row, state, user: userId === null ? null : (user?.username ?? `#${userId}`) };
  });
}
