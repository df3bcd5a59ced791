/** Access tokens for the operator: listed, revoked, and removed after their end. */

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
  /** The first that applies counts; `user_inactive` covers users who are blocked or gone. */
  readonly state: 'revoked' | 'expired' | 'user_inactive' | 'password_changed' | 'active';
  /** Name of the user who logged in for it; `#7` for one who is gone; null = the client acts for itself. */
  readonly user: string | null;
}

/** Tokens that have not reached their end, or with `all` every one that is still stored; the first to end first. */
export async function listTokens(
  store: Store,
  { clientId, all, now }: { readonly clientId: string | null; readonly all: boolean; readonly now: number },
): Promise<AccessTokenView[]> {
  if (clientId !== null) await loadClientRow(store, clientId);
  const rows = await findOauthTokens(store.own.primary, { clientId, endsAfter: all ? -1 : now });
  return viewTokens(store, rows, now);
}

export interface TokenRevocation {
  readonly token: AccessTokenView;
  /** It had ended before, by time or by a revocation. */
  readonly hadEnded: boolean;
}

/** Ends one token; every server refuses it within a second. Throws not_found. `now` is Unix milliseconds. */
export async function revokeToken(store: Store, tokenId: string, now: number): Promise<TokenRevocation> {
  const before = await loadToken(store, tokenId);
  await endCredentials(store.own, (tx) => revokeOauthTokens(tx, { tokenId }, now));
  const hadEnded = before.revokedOn !== null || before.expiresOn <= now;
  const after = await loadToken(store, tokenId);
  const [token = null] = await viewTokens(store, [after], now);
  if (token === null) throw tokenNotFound(tokenId);
  return { token, hadEnded };
}

/** Removes tokens that have ended by time, revoked ones included; gives how many. */
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
    if (userId === null) return { ...row, state: stateOf(row, { now, user: null }), user: null };
    const user = byId.get(userId);
    const mayLogIn = user !== undefined && standingProblem(user, now / 1000) === null;
    const isSamePassword = mark === null || mark === passwordMark(user?.hash ?? '');
    const state = stateOf(row, { now, user: { mayLogIn, isSamePassword } });
    return { ...row, state, user: user?.username ?? `#${userId}` };
  });
}

interface TokenFacts {
  readonly now: number;
  /** Null for a token without a user. */
  readonly user: { readonly mayLogIn: boolean; readonly isSamePassword: boolean } | null;
}

function stateOf(
  { revokedOn, expiresOn }: Pick<OauthTokenRow, 'revokedOn' | 'expiresOn'>,
  { now, user }: TokenFacts,
): AccessTokenView['state'] {
  if (revokedOn !== null) return 'revoked';
  if (expiresOn <= now) return 'expired';
  if (user === null) return 'active';
  if (!user.mayLogIn) return 'user_inactive';
  return user.isSamePassword ? 'active' : 'password_changed';
}
