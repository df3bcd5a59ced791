/**
 * Who asks at the token endpoints: client id and secret against the store. Unknown, wrong and revoked clients are one
 * refusal after the same work (contract 0.7).
 */
import { clientSecretHash } from '../../crypto/credential-text.js';
import { isSameSecret } from '../../crypto/hash.js';
import type { Store } from '../../store/open.js';
import { type OauthClientRow, readOauthClient } from '../../store/rows/oauth-clients.js';

export interface ClientCredentials {
  readonly clientId: string;
  readonly secret: string;
}

/** No digest is empty, so this fits nothing. */
const noHash = '';

/** The client, or null when it may not ask for anything. `now` is Unix milliseconds. */
export async function authenticateClient(
  { own }: Pick<Store, 'own'>,
  { clientId, secret }: ClientCredentials,
  now: number,
): Promise<OauthClientRow | null> {
  const hash = clientSecretHash(secret);
  const row = await readOauthClient(own.primary, clientId);
  const isCurrent = isSameSecret(hash, row?.secretHash ?? noHash);
  const isPrevious = isSameSecret(hash, row?.previousHash ?? noHash) && (row?.previousEndsOn ?? 0) > now;
  return row !== null && row.revokedOn === null && (isCurrent || isPrevious) ? row : null;
}
