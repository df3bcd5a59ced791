/**
 * Credentials that were found good a moment ago, so that a busy frontend costs no read per request. Kept under the
 * digest of the whole text: only who presents the right secret again is found here, and guesses neither fill nor use it.
 */
import { LruMap } from '../values/lru-map.js';

/**
 * Milliseconds. With the time that an answer takes, a revocation elsewhere holds within the promised second also where
 * the database cannot tell that anybody committed.
 */
export const keptFor = 800;
const most = 10_000;

/** Tells states of the databases apart (database-state.ts); always the same where they cannot tell. */
export type DatabaseMark = string | number;

export interface SeenCredential {
  /** The state of the databases before its row was asked for. */
  readonly mark: DatabaseMark;
  /** When its row was asked for, by the clock that never goes back. */
  readonly readAt: number;
  /** When it ends, Unix milliseconds; infinite without an end. */
  readonly endsOn: number;
}

/** When a credential is looked for: by both clocks, and by the state of the databases. */
export interface SeenMoment {
  readonly elapsed: number;
  readonly now: number;
  readonly mark: DatabaseMark;
}

export class SeenCredentials<T extends SeenCredential> {
  readonly #entries = new LruMap<string, T>(most);
  #generation = 0;

  /** Grows with every `forget`; taken before a row is read and given to `keep`. */
  get generation(): number {
    return this.#generation;
  }

  /** The credential with this digest, if it was read just now, nothing was committed since, and it has not ended. */
  find(hash: string, at: SeenMoment): T | undefined {
    const seen = this.#entries.get(hash);
    const isCurrent = seen !== undefined && seen.mark === at.mark && at.elapsed - seen.readAt < keptFor;
    return isCurrent && at.now < seen.endsOn ? seen : undefined;
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
