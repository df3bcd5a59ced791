/** Verifies access tokens (docs/reference/gateway.md#credentials), from memory while the database shows no commit. */
import type { AccessTokenIdentity } from '../../access/identity.js';
import type { Clock } from '../../clock/clock.js';
import { credentialHash, parseCredential } from '../../crypto/credential-text.js';
import { databaseMark } from '../../memory/database-mark.js';
import { rememberVerified } from '../../memory/seen-memory.js';
import type { Store } from '../../store/open/open.js';
import { rateLimitOf } from '../credentials/secrets.js';
import { findLimitedOauthToken, type LimitedOauthTokenRow } from '../models/oauth.js';
import { mayUserAct } from '../users/user-standing.js';

export interface TokenVerifierDeps {
  readonly store: Pick<Store, 'own' | 'content' | 'prefix'>;
  readonly clock: Clock;
}

/** Null for a token or user that may not act. Throws unavailable when the database does not answer: never a pass. */
export function makeTokenVerifier({
  store,
  clock,
}: TokenVerifierDeps): (text: string) => AccessTokenIdentity | null | Promise<AccessTokenIdentity | null> {
  const { own, content } = store;
  const verifiedBy = rememberVerified<AccessTokenIdentity>({
    own,
    mark: databaseMark([own.primary, content.primary]),
    clock,
  });
  return function verifyToken(text) {
    const hash = credentialHash({ text });
    return verifiedBy(hash, async (now) => {
      // A text that was found good needs no check of its form.
      if (parseCredential(text, 'gt') === null) return null;
      const row = await findLimitedOauthToken(own.primary, hash);
      // Tokens of a revoked client live on (docs/reference/gateway.md#credentials).
      if (row === null || row.revokedOn !== null || row.expiresOn <= now) return null;
      if (!(await mayUserAct(store, row, now))) return null;
      return { value: identityOf(row), endsOn: row.expiresOn };
    });
  };
}

function identityOf({ tokenId, scopes, userId, ...limit }: LimitedOauthTokenRow): AccessTokenIdentity {
  return Object.freeze({ kind: 'access_token', id: tokenId, scopes: new Set(scopes), userId, ...rateLimitOf(limit) });
}
