/**
 * Verifies access tokens (interfaces.md A, Authentication; contract 0.7, 1.3): one indexed read on the primary by the
 * digest of the token, none for a malformed text and for a token that was good a moment ago.
 */
import type { AccessTokenIdentity } from '../../access/identity.js';
import type { Clock } from '../../clock/clock.js';
import { credentialHash, parseCredential } from '../../crypto/credential-text.js';
import type { Store } from '../../store/open.js';
import { readOauthToken } from '../../store/rows/oauth-tokens.js';
import { seenTokensOf } from './seen-tokens.js';

export interface TokenVerifierDeps {
  readonly store: Pick<Store, 'own'>;
  readonly clock: Clock;
}

/**
 * Makes the function that gives the identity of a token; null when it is malformed, unknown, revoked or expired. It
 * throws unavailable when the database does not answer: never a pass.
 */
export function makeTokenVerifier({
  store,
  clock,
}: TokenVerifierDeps): (text: string) => Promise<AccessTokenIdentity | null> {
  const memory = seenTokensOf(store.own);
  return async function verifyToken(text) {
    const credential = parseCredential(text, 'gt');
    if (credential === null) return null;
    const hash = credentialHash(credential);
    const at = { elapsed: clock.elapsed(), now: clock.now() };
    const seen = memory.find(hash, at);
    if (seen !== undefined) return seen.identity;
    const { generation } = memory;
    const row = await readOauthToken(store.own.primary, hash);
    // Whether the client was revoked meanwhile does not matter: its tokens live on (interfaces.md A, Keys).
    if (row === null || row.revokedOn !== null || row.expiresOn <= at.now) return null;
    const identity: AccessTokenIdentity = Object.freeze({
      kind: 'access_token',
      id: row.tokenId,
      scopes: new Set(row.scopes),
      userId: null,
    });
    memory.keep(hash, { identity, readAt: at.elapsed, endsOn: row.expiresOn }, generation);
    return identity;
  };
}
