/** Verifies API keys, from memory while the database shows no commit. Every refusal comes after the same work. */
import type { ApiKeyIdentity } from '../../access/identity.js';
import type { Clock } from '../../clock/clock.js';
import { credentialHash, parseCredential } from '../../crypto/credential-text.js';
import type { Log } from '../../log/observation.js';
import { databaseMark, rememberVerified, type VerifiedBy } from '../../memory/seen-memory.js';
import type { Store } from '../../store/open/open.js';
import { isUseDue, rateLimitOf, secretEnd, Uses } from '../credentials/secrets.js';
import { type ApiKeyRow, apiKeys, noteApiKeyUse } from '../models/api-keys.js';
import { mayUserAct } from '../users/user-standing.js';

interface KeyVerifierDeps {
  readonly store: Pick<Store, 'own' | 'content' | 'prefix'>;
  readonly clock: Clock;
  readonly log: Log;
}

export class KeyVerifier {
  readonly #store: KeyVerifierDeps['store'];
  readonly #verifiedBy: VerifiedBy<ApiKeyIdentity>;
  readonly #uses: Uses<number>;

  constructor({ store, clock, log }: KeyVerifierDeps) {
    const { own, content } = store;
    this.#store = store;
    this.#verifiedBy = rememberVerified({ own, mark: databaseMark([own.primary, content.primary]), clock });
    this.#uses = new Uses({
      clock,
      log,
      of: 'API keys',
      write: (uses) =>
        own.write(async (tx) => {
          for (const [id, at] of uses) await noteApiKeyUse(tx, id, at);
        }),
    });
  }

  /** Null for a key or user that may not act. Throws unavailable when the database does not answer: never a pass. */
  verify(text: string): ApiKeyIdentity | null | Promise<ApiKeyIdentity | null> {
    const hash = credentialHash({ text });
    return this.#verifiedBy(hash, async (now) => {
      // A text that was found good needs no check of its form.
      const credential = parseCredential(text);
      if (credential === null) return null;
      const row = await apiKeys.on(this.#store.own.primary).lookUp({ lookupId: credential.lookupId });
      const end = secretEnd(row, hash);
      if (row === null || end === null) return null;
      const endsOn = Math.min(row.expiresOn ?? Number.POSITIVE_INFINITY, end);
      // An operator made the key, so no password ends it.
      const holder = { userId: row.userId, passwordMark: null };
      if (endsOn <= now || !(await mayUserAct(this.#store, holder, now))) return null;
      if (isUseDue(row.lastUsedOn, now)) this.#uses.note(row.id);
      return { value: identityOf(row), endsOn };
    });
  }

  close(): Promise<void> {
    return this.#uses.flush();
  }
}

function identityOf({ lookupId, scopes, userId, ...limit }: ApiKeyRow): ApiKeyIdentity {
  return Object.freeze({ kind: 'api_key', id: lookupId, scopes: new Set(scopes), userId, ...rateLimitOf(limit) });
}
