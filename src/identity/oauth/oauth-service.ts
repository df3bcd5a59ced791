/** OAuth over HTTP (RFC 6749 4.3, 4.4, 7009, 7662; docs/oauth.md). */
import type { AccessTokenIdentity } from '../../access/identity.js';
import type { Clock } from '../../clock/clock.js';
import { clientSecretHash, createCredential, credentialHash, parseCredential } from '../../crypto/credential-text.js';
import { AppError, type ErrorDetails } from '../../errors/app-error.js';
import { repeatable } from '../../store/base/database.js';
import type { Store } from '../../store/open/open.js';
import { endCredentials, rateLimitOf, secretEnd, verifierOf } from '../credentials/secrets.js';
import { type GuessLimit, secretGuess } from '../limits/guess-limit.js';
import {
  findLimitedOauthToken,
  type LimitedOauthTokenRow,
  type OauthClientRow,
  type OauthTokenRow,
  oauthClients,
  oauthTokens,
  revokeOauthTokens,
} from '../models/oauth.js';
import type { LoggedIn, LogIn, LogInRequest } from '../users/log-in.js';
import { mayUserAct } from '../users/user-standing.js';

export interface ClientCredentials {
  readonly clientId: string;
  readonly secret: string;
  /** As it is counted: IPv6 by /64. */
  readonly address: string;
  /** Sent by HTTP Basic, so a refusal asks for it in this way (RFC 6749, 5.2). */
  readonly isBasic: boolean;
}

interface UserCredentials {
  readonly username: string | undefined;
  readonly password: string | undefined;
}

interface OauthServiceDeps {
  readonly store: Pick<Store, 'own' | 'content' | 'prefix'>;
  readonly clock: Clock;
  readonly guesses: GuessLimit;
  readonly logIn: LogIn;
  /** Seconds. */
  readonly lifetime: () => number;
  readonly knownScopes: () => readonly string[];
}

export interface IssueRequest {
  readonly client: ClientCredentials;
  readonly grant:
    | { readonly type: 'client_credentials' }
    | { readonly type: 'password'; readonly user: UserCredentials; readonly request: LogInRequest };
  /** Null = everything that the client may have. */
  readonly scopes: readonly string[] | null;
}

interface TokenQuestion {
  readonly client: ClientCredentials;
  readonly token: string;
}

export type OauthService = ReturnType<typeof makeOauthService>;

/** Each function throws what `grantRefusal` makes, and rate_limited. */
export function makeOauthService(deps: OauthServiceDeps) {
  const { store, clock } = deps;
  return {
    async issue({ client, grant, scopes: asked }: IssueRequest) {
      const now = clock.now();
      const row = await authenticateClient(deps, client, now);
      if (!row.grants.includes(grant.type)) {
        throw grantRefusal('unauthorized_client', `The client may not use the grant ${grant.type}`);
      }
      const user = grant.type === 'password' ? await logInUser(deps.logIn, grant.user, grant.request) : null;
      const scopes = grantedScopes(row, { asked, known: deps.knownScopes() });
      if (scopes.length === 0)
        throw grantRefusal('invalid_scope', 'The client has none of the scopes that were asked for');
      const { clientId } = row;
      const holder = { userId: user?.userId ?? null, passwordMark: user?.mark ?? null };
      const credential = createCredential('gt');
      const { lookupId: tokenId, text: token } = credential;
      const tokenHash = credentialHash(credential);
      const lifetime = deps.lifetime();
      const expiresOn = now + lifetime * 1000;
      await store.own.write(
        async (tx) => {
          const fresh = { tokenHash, tokenId, clientId, ...holder, scopes, issuedOn: now, expiresOn };
          await oauthTokens.on(tx).create(fresh);
          await oauthClients.on(tx).update({ lastUsedOn: now }, { where: { clientId } });
          return true;
        },
        { outcome: async (tx) => (await oauthTokens.on(tx).count({ where: { tokenHash } })) > 0 || undefined },
      );
      if (await mayUserAct(store, holder, now)) return { token, lifetime, scopes };
      // The user was blocked, or the password changed, since it was checked.
      await store.own.write((tx) => revokeOauthTokens(tx, { tokenId }, now), repeatable);
      throw wrongUser();
    },

    async revoke({ client, token }: TokenQuestion): Promise<void> {
      const now = clock.now();
      await authenticateClient(deps, client, now);
      const row = await findToken(store, token);
      // RFC 7009, 2.2: for its owner, an unknown token has ended already.
      if (row === null) return;
      if (row.clientId !== client.clientId)
        throw grantRefusal('invalid_grant', 'The token was issued to another client');
      await endCredentials(store.own, (tx) => revokeOauthTokens(tx, { tokenId: row.tokenId }, now));
    },

    /** Null for a token that does not work or is not the client's. */
    async introspect({ client, token }: TokenQuestion): Promise<OauthTokenRow | null> {
      const now = clock.now();
      await authenticateClient(deps, client, now);
      const row = await findToken(store, token);
      if (row === null || row.clientId !== client.clientId || row.revokedOn !== null || row.expiresOn <= now)
        return null;
      return (await mayUserAct(store, row, now)) ? row : null;
    },
  };
}

/** A client with `*` has every scope. */
function grantedScopes(
  row: OauthClientRow,
  { asked, known }: { readonly asked: readonly string[] | null; readonly known: readonly string[] },
): readonly string[] {
  if (asked === null) return row.scopes;
  const held = new Set(row.scopes.includes('*') ? known : row.scopes);
  return [...new Set(asked)].filter((scope) => held.has(scope));
}

async function findToken({ own }: Pick<Store, 'own'>, text: string): Promise<OauthTokenRow | null> {
  const credential = parseCredential(text, 'gt');
  return credential === null ? null : oauthTokens.on(own.primary).lookUp({ tokenHash: credentialHash(credential) });
}

/** Refuses every client after the same work (docs/reference/http.md#secrets). */
async function authenticateClient(
  { store, guesses }: Pick<OauthServiceDeps, 'store' | 'guesses'>,
  { clientId, secret, address, isBasic }: ClientCredentials,
  now: number,
): Promise<OauthClientRow> {
  const guess = secretGuess({ clientId, address });
  await guesses.check(guess);
  const row = await oauthClients.on(store.own.primary).lookUp({ clientId });
  const end = secretEnd(row, clientSecretHash(secret));
  if (row !== null && end !== null && end > now) return row;
  await guesses.fail(guess);
  throw wrongClient('The client is unknown, revoked, or its secret is wrong', isBasic);
}

/** Throws also unavailable when guesses cannot be counted. */
async function logInUser(
  logIn: LogIn,
  { username, password }: UserCredentials,
  request: LogInRequest,
): Promise<LoggedIn> {
  if (username === undefined) throw grantRefusal('invalid_request', 'username is missing');
  if (password === undefined) throw grantRefusal('invalid_request', 'password is missing');
  try {
    return await logIn({ username, password, request });
  } catch (error) {
    throw error instanceof AppError && error.code === 'invalid_credentials' ? wrongUser() : error;
  }
}

export const grantTypes = ['client_credentials', 'password'] as const;
export type GrantType = (typeof grantTypes)[number];

/** Its words are those of RFC 6749, 5.2. The message never repeats the request. */
export function grantRefusal(
  grantError: NonNullable<ErrorDetails['grantError']>,
  message: string,
  details: ErrorDetails = {},
): AppError {
  // Missing or repeated parameters are bad_request, a refused client, grant or scope invalid_grant.
  const code = grantError === 'invalid_request' ? 'bad_request' : 'invalid_grant';
  return new AppError(code, { message, details: { ...details, grantError } });
}

export function wrongClient(message: string, isBasic: boolean): AppError {
  return grantRefusal('invalid_client', message, isBasic ? { status: 401 } : {});
}

function wrongUser(): AppError {
  return grantRefusal('invalid_grant', 'The user is unknown or may not log in, or the password is wrong');
}

interface TokenVerifierDeps {
  readonly store: Pick<Store, 'own' | 'content' | 'prefix'>;
  readonly clock: Clock;
}

/** Null also for a user who may not act. */
export function makeTokenVerifier({ store, clock }: TokenVerifierDeps) {
  return verifierOf<AccessTokenIdentity>('gt', { store, clock }, async ({ hash }, now) => {
    const row = await findLimitedOauthToken(store.own.primary, hash);
    // Tokens of a revoked client live on (docs/reference/gateway.md#credentials).
    if (row === null || row.revokedOn !== null || row.expiresOn <= now) return null;
    return (await mayUserAct(store, row, now)) ? { value: identityOf(row), endsOn: row.expiresOn } : null;
  });
}

function identityOf({ tokenId, scopes, userId, ...limit }: LimitedOauthTokenRow): AccessTokenIdentity {
  return Object.freeze({ kind: 'access_token', id: tokenId, scopes: new Set(scopes), userId, ...rateLimitOf(limit) });
}
