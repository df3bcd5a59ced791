/**
 * Verifies access tokens (docs/reference/gateway.md#credentials): one indexed read on the primary by the digest of the
 * token, and for a token of a user two more for the user; none for a malformed text and for a token that was good a
 * moment ago.
 */
import type { AccessTokenIdentity } from '../../access/identity.js';
import type { Clock } from '../../clock/clock.js';
import { credentialHash, parseCredential } from '../../crypto/credential-text.js';
import { databaseMark, seenMoment } from '../../memory/database-mark.js';
import type { Store } from '../../store/open/open.js';
import { findLimitedOauthToken, type LimitedOauthTokenRow } from '../models/oauth-tokens.js';
import { mayUserAct } from '../users/may-user-act.js';
import { seenTokensOf } from './seen-tokens.js';

export interface TokenVerifierDeps {
  readonly store: Pick<Store, 'own' | 'content' | 'prefix'>;
  readonly clock: Clock;
}

/**
 * Makes the function that gives the identity of a token; null when it is malformed, unknown, revoked or expired, or
 * when its user may not log in any more. It throws unavailable when the database does not answer: never a pass.
 */
export function makeTokenVerifier({
  store,
  clock,
}: TokenVerifierDeps): (text: string) => Promise<AccessTokenIdentity | null> {
  const memory = seenTokensOf(store.own);
  const mark = databaseMark([store.own.primary, store.content.primary]);
  return async function verifyToken(text) {
    const credential = parseCredential(text, 'gt');
    if (credential === null) return null;
    const hash = credentialHash(credential);
    const at = seenMoment(clock, mark);
    const seen = memory.find(hash, at);
    if (seen !== undefined) return seen.identity;
    const { generation } = memory;
    const row = await findLimitedOauthToken(store.own.primary, hash);
    // A client that was revoked meanwhile makes no difference: its tokens live on
    // (docs/reference/gateway.md#credentials).
    if (row === null || row.revokedOn !== null || row.expiresOn <= at.now) return null;
    if (!(await mayUserAct(store, row, at.now))) return null;
    const identity = identityOf(row);
    memory.keep(hash, { identity, readAt: at.elapsed, mark: at.mark, endsOn: row.expiresOn }, generation);
    return identity;
  };
}

function identityOf(row: LimitedOauthTokenRow): AccessTokenIdentity {
  const { tokenId, scopes, userId, rateLimitMax: max, rateLimitWindow: windowSeconds } = row;
  const hasOwnLimit = max !== null || windowSeconds !== null;
  return Object.freeze({
    kind: 'access_token',
    id: tokenId,
    scopes: new Set(scopes),
    userId,
    ...(hasOwnLimit ? { rateLimit: Object.freeze({ max, windowSeconds }) } : {}),
  });
}
