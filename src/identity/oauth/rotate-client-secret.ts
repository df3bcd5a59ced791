/** Gives an OAuth client a new secret; the old one ends at once, or after an overlap in which both work. */

import { clientSecretHash, createClientSecret } from '../../crypto/credential-text.js';
import { AppError } from '../../errors/app-error.js';
import type { Store } from '../../store/open/open.js';
import { isoTimeOfMs } from '../../values/dates.js';
import { type OauthClientRow, oauthClients } from '../models/oauth-clients.js';
import type { IssuedClient } from './add-client.js';
import { loadClientRow } from './client-view.js';

export interface SecretRotationRequest {
  readonly clientId: string;
  /** Milliseconds for which the old secret works on; 0 = not at all. */
  readonly overlap: number;
  /** Unix milliseconds. */
  readonly now: number;
}

export interface SecretRotation {
  readonly client: IssuedClient;
  /** When the old secret ends, Unix milliseconds; null = it ended. */
  readonly previousEndsOn: number | null;
}

/** Throws not_found, and refused for a client that was revoked or whose earlier overlap still runs. */
export async function rotateClientSecret(store: Store, request: SecretRotationRequest): Promise<SecretRotation> {
  const { clientId, overlap, now } = request;
  const row = await loadClientRow(store, clientId);
  checkRotatable(row, { overlap, now });
  const { name, scopes, grants } = row;
  const clientSecret = createClientSecret();
  const secretHash = clientSecretHash(clientSecret);
  const previousEndsOn = overlap === 0 ? null : now + overlap;
  const previousHash = previousEndsOn === null ? null : row.secretHash;
  const rotation = { secretHash, previousHash, previousEndsOn, rotatedOn: now };
  // Only while the client has the secret that was read and was not revoked.
  const where = { clientId, secretHash: row.secretHash, revokedOn: null };
  const changes = await store.own.write((tx) => oauthClients.on(tx).update(rotation, { where }), {
    outcome: async (tx) => (await oauthClients.on(tx).count({ where: { clientId, secretHash } })) || undefined,
  });
  if (changes === 0) throw refusal(`The OAuth client ${clientId} was changed at the same time; look at it again`);
  return { client: { clientId, clientSecret, name, scopes, grants }, previousEndsOn };
}

/** A client keeps one old secret, so a second overlap would end the first one before its time. */
function checkRotatable(row: OauthClientRow, { overlap, now }: Pick<SecretRotationRequest, 'overlap' | 'now'>): void {
  const { clientId, revokedOn, previousEndsOn } = row;
  if (revokedOn !== null) {
    throw refusal(`The OAuth client ${clientId} was revoked; make a new one: hcd oauth client add`);
  }
  if (overlap > 0 && previousEndsOn !== null && previousEndsOn > now) {
    throw refusal(
      `The OAuth client ${clientId} has an old secret that works until ${isoTimeOfMs(previousEndsOn)}; wait, or rotate without --overlap to end both now`,
    );
  }
}

function refusal(message: string): AppError {
  return new AppError('refused', { message });
}
