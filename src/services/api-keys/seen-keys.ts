/**
 * Keys that were found good a moment ago, so that a busy frontend costs no read per request. Kept under the digest of
 * the whole text: only who presents the right secret again is found here, and guesses neither fill nor use it.
 */
import type { ApiKeyIdentity } from '../../access/identity.js';
import type { Database } from '../../store/database.js';
import { LruMap } from '../../store/lru-map.js';

/** Milliseconds. With the time that an answer takes, a revocation elsewhere holds within the promised second. */
export const keptFor = 800;
const most = 10_000;

export interface SeenKey {
  readonly keyId: number;
  readonly identity: ApiKeyIdentity;
  /** When the row was asked for, by the clock that never goes back. */
  readonly readAt: number;
  /** End of the key or of its old secret, Unix milliseconds. */
  readonly endsOn: number;
}

export class SeenKeys {
  readonly #entries = new LruMap<string, SeenKey>(most);
  readonly #forgotten = new LruMap<number, number>(most);

  find(hash: string, at: { readonly elapsed: number; readonly now: number }): SeenKey | undefined {
    const seen = this.#entries.get(hash);
    if (seen === undefined || seen.endsOn <= at.now) return undefined;
    const isForgotten = (this.#forgotten.get(seen.keyId) ?? Number.NEGATIVE_INFINITY) > 0;
    return !isForgotten && at.elapsed - seen.readAt < keptFor ? seen : undefined;
  }
}
