/** Ends an OAuth client for good: it gets no new token; the tokens it has live on, unless they are to end too. */

import { tellRevocation } from '../../memory/seen-memory.js';
import type { Store } from '../../store/open/open.js';
import { oauthClients } from '../models/oauth-clients.js';
import { revokeOauthTokens } from '../models/oauth-tokens.js';
import { type ClientView, loadClient, loadClientRow } from './client-view.js';

export interface ClientRevocation {
  readonly client: ClientView;
  /** It had been revoked before; its time stays as it was. */
  readonly wasRevoked: boolean;
  readonly revokedTokens: number;
}

export interface ClientRevocationRequest {
  readonly clientId: string;
  readonly withTokens: boolean;
  /** Unix milliseconds. */
  readonly now: number;
}

/** Throws not_found. */
export async function revokeClient(store: Store, request: ClientRevocationRequest): Promise<ClientRevocation> {
  const { clientId, withTokens, now } = request;
  const before = await loadClientRow(store, clientId);
  const revokedTokens = await store.own.write(
    async (tx) => {
      await oauthClients.on(tx).update({ revokedOn: now }, { where: { clientId, revokedOn: null } });
      return withTokens ? revokeOauthTokens(tx, { clientId }, now) : 0;
    },
    // Revoking twice is harmless, so that work whose outcome is unknown may be repeated.
    { outcome: async () => undefined },
  );
  await tellRevocation(store.own);
  return { client: await loadClient(store, clientId, now), wasRevoked: before.revokedOn !== null, revokedTokens };
}
