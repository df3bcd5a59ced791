/**
 * Keys that were found good a moment ago, so that a busy frontend costs no read per request. Kept under the digest of
 * the whole text: only who presents the right secret again is found here, and guesses neither fill nor use it.
 */
import type { ApiKeyIdentity } from '../../access/identity.js';
import type { Database } from '../../store/database.js';
import { LruMap } from '../../store/lru-map.js';

/** Milliseconds. With the time that an answer takes, a revocation elsewhere holds within the promised second. */
const keptFor = 800;
const most = 10_000;

export interface SeenKey {
  readonly keyId: number;
  readonly identity: ApiKeyIdentity;
  /** When its row was asked for, by the clock that never goes back. */
  readonly readAt: number;
  /** End of the key or of its old secret, Unix milliseconds; infinite without one. */
  readonly endsOn: number;
}

export class SeenKeys {
  readonly #entries = new LruMap<string, SeenKey>(most);
  #generation = 0;

  /** Grows with every `forget`; taken before a row is read and given to `keep`. */
  get generation(): number {
    return this.#generation;
  }

  /** The key with this digest, if it was read just now and has not ended since. */
  find(hash: string, at: { readonly elapsed: number; readonly now: number }): SeenKey | undefined {
    const seen = this.#entries.get(hash);
    return seen !== undefined && at.elapsed - seen.readAt < keptFor && at.now < seen.endsOn ? seen : undefined;
  }

  /** Does nothing when keys were forgotten since the generation: what was read may have changed by then. */
  keep(hash: string, seen: SeenKey, generation: number): void {
    if (generation === this.#generation) this.#entries.set(hash, seen);
  }

  /** Every key is read again at its next use. */
  forget(): void {
    this.#generation += 1;
    this.#entries.clear();
  }
}

/** One memory per open database: who changes a key in this process need not know who verifies. */
const memories = new WeakMap<Database, SeenKeys>();

export function seenKeysOf(own: Database): SeenKeys {
  const known = memories.get(own) ?? new SeenKeys();
  memories.set(own, known);
  return known;
}
