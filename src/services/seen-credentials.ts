/**
 * Credentials that were found good a moment ago, so that a busy frontend costs no read per request. Kept under the
 * digest of the whole text: only who presents the right secret again is found here, and guesses neither fill nor use it.
 */
import { LruMap } from '../store/lru-map.js';

/** Milliseconds. With the time that an answer takes, a revocation elsewhere holds within the promised second. */
export const keptFor = 800;
const most = 10_000;

export interface SeenCredential {
  /** When its row was asked for, by the clock that never goes back. */
  readonly readAt: number;
  /** When it ends, Unix milliseconds; infinite without an end. */
  readonly endsOn: number;
}

export class SeenCredentials<T extends SeenCredential> {
  readonly #entries = new LruMap<string, T>(most);
  #generation = 0;

  /** Grows with every `forget`; taken before a row is read and given to `keep`. */
  get generation(): number {
    return this.#generation;
  }

  /** The credential with this digest, if it was read just now and has not ended since. */
  find(hash: string, at: { readonly elapsed: number; readonly now: number }): T | undefined {
    const seen = this.#entries.get(hash);
    return seen !== undefined && at.elapsed - seen.readAt < keptFor && at.now < seen.endsOn ? seen : undefined;
  }

  /** Does nothing when credentials were forgotten since the generation: what was read may have changed by then. */
  keep(hash: string, seen: T, generation: number): void {
    if (generation === this.#generation) this.#entries.set(hash, seen);
  }

  /** Every credential is read again at its next use. */
  forget(): void {
    this.#generation += 1;
    this.#entries.clear();
  }
}
