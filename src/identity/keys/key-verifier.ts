/** Verifies API keys, and notes when they were last used. */
import type { ApiKeyIdentity } from '../../access/identity.js';
import type { Clock } from '../../clock/clock.js';
import type { Log } from '../../log/observation.js';
import type { Store } from '../../store/open/open.js';
import { isUseDue, rateLimitOf, secretEnd, Uses, verifierOf } from '../credentials/secrets.js';
import { type ApiKeyRow, apiKeys, noteApiKeyUse } from '../models/api-keys.js';
import { mayUserAct } from '../users/user-standing.js';

interface KeyVerifierDeps {
  readonly store: Pick<Store, 'own' | 'content' | 'prefix'>;
  readonly clock: Clock;
  readonly log: Log;
}

export class KeyVerifier {
  /** Null also for a user who may not act. */
  readonly verify: ReturnType<typeof verifierOf<ApiKeyIdentity>>;
  readonly #uses: Uses<number>;

  constructor({ store, clock, log }: KeyVerifierDeps) {
    const { own } = store;
    this.#uses = new Uses({
      clock,
      log,
      of: 'API keys',
      write: (uses) =>
        own.write(async (tx) => {
          for (const [id, at] of uses) await noteApiKeyUse(tx, id, at);
        }),
    });
    this.verify = verifierOf('gk', { store, clock }, async ({ lookupId, hash }, now) => {
      const row = await apiKeys.on(own.primary).lookUp({ lookupId });
      const end = secretEnd(row, hash);
      if (row === null || end === null) return null;
      const endsOn = Math.min(row.expiresOn ?? Number.POSITIVE_INFINITY, end);
      // An operator made the key, so no password ends it.
      const holder = { userId: row.userId, passwordMark: null };
      if (endsOn <= now || !(await mayUserAct(store, holder, now))) return null;
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
