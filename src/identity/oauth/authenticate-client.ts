/**
 * Who asks at the token endpoints: client id and secret against the store. Unknown, wrong and revoked clients are one
 * refusal after the same work (docs/reference/http.md#secrets), and all of them are throttled alike.
 */
import { clientSecretHash } from '../../crypto/credential-text.js';
import { isSameSecret } from '../../crypto/hash.js';
import type { Store } from '../../store/open/open.js';
import { type GuessLimit, secretGuess } from '../limits/guess-limit.js';
import { type OauthClientRow, oauthClients } from '../models/oauth-clients.js';

export interface ClientCredentials {
  readonly clientId: string;
  readonly secret: string;
  /** Where the request comes from, as it is counted: IPv6 by /64. */
  readonly address: string;
}

export interface ClientCheckDeps {
  readonly store: Pick<Store, 'own'>;
  readonly guesses: GuessLimit;
}

/** No digest is empty, so this fits nothing. */
const noHash = '';

/**
 * The client, or null when it may not ask for anything. Failures are counted after the fact: nobody guesses 256 random
 * bits, and busy clients must not write for each of their requests. Throws rate_limited. `now` is Unix milliseconds.
 */
export async function authenticateClient(
  { store, guesses }: ClientCheckDeps,
  { clientId, secret, address }: ClientCredentials,
  now: number,
): Promise<OauthClientRow | null> {
  const guess = secretGuess({ clientId, address });
  await guesses.check(guess);
  const hash = clientSecretHash(secret);
  const row = await oauthClients.on(store.own.primary).lookUp({ clientId });
  const isCurrent = isSameSecret(hash, row?.secretHash ?? noHash);
  const isPrevious = isSameSecret(hash, row?.previousHash ?? noHash) && (row?.previousEndsOn ?? 0) > now;
  if (row !== null && row.revokedOn === null && (isCurrent || isPrevious)) return row;
  await guesses.fail(guess);
  return null;
}
