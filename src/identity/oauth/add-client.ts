/** Makes an OAuth client. Its secret exists only in the answer of this function: the store keeps a digest. */
import type { OwnRateLimit } from '../../access/identity.js';
import type { Registry } from '../../content/objects/definition.js';
import { scopesProblem, siteScopes } from '../../content/objects/known-scopes.js';
import { clientSecretHash, createClientSecret } from '../../crypto/credential-text.js';
import { AppError, invalidField } from '../../errors/app-error.js';
import type { Store } from '../../store/open/open.js';
import { oauthClients } from '../models/oauth-clients.js';
import type { GrantType } from './grant.js';

export interface ClientRequest {
  readonly registry: Registry;
  readonly clientId: string;
  /** For people; null = the client id. */
  readonly name: string | null;
  readonly scopes: readonly string[];
  readonly grants: readonly GrantType[];
  /** Requests of each of its tokens in one window, and the window's seconds; null = the general value. */
  readonly rateLimit: OwnRateLimit;
  /** Who asked for it, for people. */
  readonly createdBy: string;
  /** Unix milliseconds. */
  readonly now: number;
}

/** A client with its secret, which nobody can show again. */
export interface IssuedClient {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly grants: readonly string[];
}

/** Throws validation_failed for unknown scopes, and refused when the id is taken. */
export async function addClient(store: Store, request: ClientRequest): Promise<IssuedClient> {
  const { registry, clientId, createdBy, now, rateLimit } = request;
  const scopes = Object.freeze([...new Set(request.scopes)]);
  const grants = Object.freeze([...new Set(request.grants)]);
  const name = request.name ?? clientId;
  const problem = scopesProblem(scopes, await siteScopes(store, registry));
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
  if (!isNew) {
    const message = `There is an OAuth client ${clientId} already, revoked ones included; choose another id`;
    throw new AppError('refused', { message });
  }
  return Object.freeze({ clientId, clientSecret, name, scopes, grants });
}
