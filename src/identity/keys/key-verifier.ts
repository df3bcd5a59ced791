/**
 * Verifies API keys. One indexed read on the primary, and for a
 * key of a user a second one for the user; none for a malformed text, and for a key that was good a moment ago unless
 * the database tells of a commit since. Every refusal is the same answer after the same work.
 */
import type { ApiKeyIdentity } from '../../access/identity.js';
import type { Clock } from '../../clock/clock.js';
import { credentialHash, parseCredential } from '../../crypto/credential-text.js';
import { isSameSecret } from '../../crypto/hash.js';
import type { Log } from '../../log/observation.js';
import { databaseMark, seenMoment } from '../../memory/database-mark.js';
import type { DatabaseMark } from '../../memory/seen-credentials.js';
import type { Store } from '../../store/open/open.js';
import { type ApiKeyRow, apiKeys } from '../models/api-keys.js';
import { mayUserAct } from '../users/may-user-act.js';
import { KeyUses } from './key-uses.js';
import { type SeenKeys, seenKeysOf } from './seen-keys.js';

export interface KeyVerifierDeps {
  readonly store: Pick<Store, 'own' | 'content' | 'prefix'>;
  readonly clock: Clock;
  readonly log: Log;
}

/** No digest is empty, so this fits nothing. */
const noHash = '';

export class KeyVerifier {
  readonly #deps: KeyVerifierDeps;
  readonly #seen: SeenKeys;
  readonly #uses: KeyUses;
  readonly #mark: () => DatabaseMark;

  constructor(deps: KeyVerifierDeps) {
    this.#deps = deps;
    this.#seen = seenKeysOf(deps.store.own);
    this.#mark = databaseMark([deps.store.own.primary, deps.store.content.primary]);
    this.#uses = new KeyUses({ own: deps.store.own, clock: deps.clock, log: deps.log });
  }

  /**
   * The identity of a key; null when it is malformed, unknown, wrong, revoked or expired, or when its user may not log
   * in any more. Throws unavailable when the database does not answer: never a pass.
   */
  async verify(text: string): Promise<ApiKeyIdentity | null> {
    const credential = parseCredential(text);
    if (credential === null) return null;
    const { clock, store } = this.#deps;
    const hash = credentialHash(credential);
    const at = seenMoment(clock, this.#mark);
    let seen = this.#seen.find(hash, at);
    if (seen === undefined) {
      const { generation } = this.#seen;
      const row = await apiKeys.on(store.own.primary).lookUp({ lookupId: credential.lookupId });
      const endsOn = endOf(row, { hash, now: at.now });
      if (row === null || endsOn === null) return null;
      // An operator made the key: a password has no part in it.
      if (!(await mayUserAct(store, { userId: row.userId, passwordMark: null }, at.now))) return null;
      seen = { keyId: row.id, identity: identityOf(row), readAt: at.elapsed, mark: at.mark, endsOn };
      this.#seen.keep(hash, seen, generation);
    }
    this.#uses.note(seen.keyId);
    return seen.identity;
  }

  /** Writes the uses that are not written yet. */
  close(): Promise<void> {
    return this.#uses.flush();
  }
}

/** Until when the secret works, infinite without an end; null when it does not. Compares the same for every row. */
function endOf(row: ApiKeyRow | null, { hash, now }: { readonly hash: string; readonly now: number }): number | null {
  const isCurrent = isSameSecret(hash, row?.secretHash ?? noHash);
  const isPrevious = isSameSecret(hash, row?.previousHash ?? noHash);
  if (row === null || row.revokedOn !== null || !(isCurrent || isPrevious)) return null;
  const keyEnd = row.expiresOn ?? Number.POSITIVE_INFINITY;
  const end = isCurrent ? keyEnd : Math.min(keyEnd, row.previousEndsOn ?? 0);
  return end > now ? end : null;
}

function identityOf({ lookupId, scopes, userId, rateLimitMax: max, rateLimitWindow }: ApiKeyRow): ApiKeyIdentity {
  const hasOwnLimit = max !== null || rateLimitWindow !== null;
  return Object.freeze({
    kind: 'api_key',
    id: lookupId,
    scopes: new Set(scopes),
    userId,
    ...(hasOwnLimit ? { rateLimit: Object.freeze({ max, windowSeconds: rateLimitWindow }) } : {}),
  });
}
