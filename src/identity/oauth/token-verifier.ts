/**
 * Verifies access tokens (docs/reference/gateway.md#credentials): one indexed read on the primary by the digest of the
 * token, and for a token of a user two more for the user; none for a malformed text and for a token that was good a
 * moment ago.
 */
import type { AccessTokenIdentity } from '../../access/identity.js';
import type { Clock } from '../../clock/clock.js';
import { credentialHash, parseCredential } from '../../crypto/credential-text.js';
import { rememberVerified } from '../../memory/seen-memory.js';
import type { Store } from '../../store/open/open.js';
import { rateLimitOf } from '../credentials/secrets.js';
import { findLimitedOauthToken, type LimitedOauthTokenRow } from '../models/oauth.js';
import { mayUserAct } from '../users/user-standing.js';

export interface TokenVerifierDeps {
  readonly store: Pick<Store, 'own' | 'content' | 'prefix'>;
  readonly clock: Clock;
}

/**
 * Makes the function that gives the identity of a token; null when it is malformed, unknown, revoked or expired, or
 * when its user may no longer log in. A promise unless it was found good a moment ago; it rejects with unavailable when
 * the database does not answer: never a pass.
 */
export function makeTokenVerifier({
  store,
  clock,
}: TokenVerifierDeps): (text: string) => AccessTokenIdentity | null | Promise<AccessTokenIdentity | null> {
  const { own, content } = store;
  const verifiedBy = rememberVerified<AccessTokenIdentity>({ own, readers: [own.primary, content.primary], clock });
  return function verifyToken(text) {
    const hash = credentialHash({ text });
    return verifiedBy(hash, async (now) => {
      // Only here: a text that was found good needs no look at its form.
      if (parseCredential(text, 'gt') === null) return null;
      const row = await findLimitedOauthToken(own.primary, hash);
      // A client that was revoked meanwhile makes no difference: its tokens live on
      // (docs/reference/gateway.md#credentials).
      if (row === null || row.revokedOn !== null || row.expiresOn <= now) return null;
      if (!(await mayUserAct(store, row, now))) return null;
      return { value: identityOf(row), endsOn: row.expiresOn };
    });
  };
}

function identityOf({ tokenId, scopes, userId, ...limit }: LimitedOauthTokenRow): AccessTokenIdentity {
  return Object.freeze({ kind: 'access_token', id: tokenId, scopes: new Set(scopes), userId, ...rateLimitOf(limit) });
}
