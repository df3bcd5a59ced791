/** OAuth clients and their access tokens for the operator. A secret exists only in the answer that creates it. */
import type { OwnRateLimit } from '../../access/identity.js';
import { siteScopesProblem } from '../../content/objects/core-objects.js';
import type { Registry } from '../../content/objects/definition.js';
import { clientSecretHash, createClientSecret } from '../../crypto/credential-text.js';
import { AppError, invalidField } from '../../errors/app-error.js';
import { repeatable } from '../../store/base/database.js';
import type { Store } from '../../store/open/open.js';
import { endCredentials, refusal, rotateSecret } from '../credentials/secrets.js';
import {
  findOauthTokens,
  type OauthClientRow,
  type OauthTokenRow,
  oauthClients,
  oauthTokens,
  removeEndedOauthTokens,
  revokeOauthTokens,
} from '../models/oauth.js';
import { findUsers } from '../models/users.js';
import { passwordMark, standingProblem } from '../users/user-standing.js';
import type { GrantType } from './oauth-service.js';

interface ClientRequest {
  readonly registry: Registry;
  readonly clientId: string;
  readonly name: string | null;
  readonly scopes: readonly string[];
  readonly grants: readonly GrantType[];
  /** Requests of each token in a window, and the window's seconds; null = the general value. */
  readonly rateLimit: OwnRateLimit;
  readonly createdBy: string;
  readonly now: number;
}

export interface IssuedClient extends Pick<OauthClientRow, 'clientId' | 'name' | 'scopes' | 'grants'> {
  readonly clientSecret: string;
}

/** Throws validation_failed for unknown scopes, and refused when the id is taken. */
export async function addClient(store: Store, request: ClientRequest): Promise<IssuedClient> {
  const { registry, clientId, createdBy, now, rateLimit } = request;
  const scopes = Object.freeze([...new Set(request.scopes)]);
  const grants = Object.freeze([...new Set(request.grants)]);
  const name = request.name ?? clientId;
  const problem = await siteScopesProblem(scopes, { store, registry });
  if (problem !== null) throw invalidField('scopes', problem);
  const clientSecret = createClientSecret();
  const secretHash = clientSecretHash(clientSecret);
  const ofLimit = { rateLimitMax: rateLimit.max, rateLimitWindow: rateLimit.windowSeconds };
  const row = { clientId, secretHash, name, scopes, grants, ...ofLimit, createdOn: now, createdBy };
  const isNew = await store.own.write(
    async (tx) => {
      if ((await oauthClients.on(tx).count({ where: { clientId } })) > 0) return false;
      await oauthClients.on(tx).create(row);
      return true;
    },
    { outcome: async (tx) => (await oauthClients.on(tx).count({ where: { clientId, secretHash } })) > 0 || undefined },
  );
  if (!isNew)
    throw refusal(`The OAuth client id ${clientId} is already in use (revoked clients count); choose another id`);
  return Object.freeze({ clientId, clientSecret, name, scopes, grants });
}

export interface ClientView extends Omit<OauthClientRow, 'secretHash' | 'previousHash'> {
  readonly state: 'active' | 'revoked';
  readonly liveTokens: number;
}

export async function listClients({ own }: Store, now: number): Promise<ClientView[]> {
  const tokens = await findOauthTokens(own.primary, { clientId: null, endsAfter: now });
  const live = new Map<string, number>();
  for (const { clientId, revokedOn } of tokens) {
    if (revokedOn === null) live.set(clientId, (live.get(clientId) ?? 0) + 1);
  }
  return (await oauthClients.on(own.primary).findAll({ order: ['createdOn', 'clientId'] })).map((row) =>
    viewOf(row, live.get(row.clientId) ?? 0),
  );
}

export async function loadClient(store: Store, clientId: string, now: number): Promise<ClientView> {
  const row = await loadClientRow(store, clientId);
  const tokens = await findOauthTokens(store.own.primary, { clientId, endsAfter: now });
  return viewOf(row, tokens.filter(({ revokedOn }) => revokedOn === null).length);
}

async function loadClientRow({ own }: Store, clientId: string): Promise<OauthClientRow> {
  const row = await oauthClients.on(own.primary).findOne({ where: { clientId } });
  if (row !== null) return row;
  const message = `There is no OAuth client ${clientId}; hcd oauth client list shows every client`;
  throw new AppError('not_found', { message });
}

function viewOf(
  { secretHash: _secret, previousHash: _previous, ...row }: OauthClientRow,
  liveTokens: number,
): ClientView {
  return { ...row, state: row.revokedOn === null ? 'active' : 'revoked', liveTokens };
}

/** `overlap` in milliseconds. Throws not_found, and refused for a revoked client or one whose overlap still runs. */
export async function rotateClientSecret(
  store: Store,
  request: { readonly clientId: string; readonly overlap: number; readonly now: number },
): Promise<{ readonly client: IssuedClient; readonly previousEndsOn: number | null }> {
  const { clientId, overlap, now } = request;
  const row = await loadClientRow(store, clientId);
  const { name, scopes, grants } = row;
  const clientSecret = createClientSecret();
  const previousEndsOn = await rotateSecret(store.own, row, {
    what: `The OAuth client ${clientId}`,
    make: 'hcd oauth client add',
    secretHash: clientSecretHash(clientSecret),
    overlap,
    now,
    update: (tx, values, where) => oauthClients.on(tx).update(values, { where: { clientId, ...where } }),
    count: (tx, where) => oauthClients.on(tx).count({ where: { clientId, ...where } }),
  });
  return { client: { clientId, clientSecret, name, scopes, grants }, previousEndsOn };
}

export interface ClientRevocation {
  readonly client: ClientView;
  readonly wasRevoked: boolean;
  readonly revokedTokens: number;
}

/** Tokens of the client live on unless they are revoked too. Throws not_found. */
export async function revokeClient(
  store: Store,
  { clientId, withTokens, now }: { readonly clientId: string; readonly withTokens: boolean; readonly now: number },
): Promise<ClientRevocation> {
  const before = await loadClientRow(store, clientId);
  const revokedTokens = await endCredentials(store.own, async (tx) => {
    await oauthClients.on(tx).update({ revokedOn: now }, { where: { clientId, revokedOn: null } });
    return withTokens ? revokeOauthTokens(tx, { clientId }, now) : 0;
  });
  return { client: await loadClient(store, clientId, now), wasRevoked: before.revokedOn !== null, revokedTokens };
}

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
