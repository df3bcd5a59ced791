/**
 * What was read from the databases, as long as nothing was committed since: as good as reading it again. Only
 * where the databases can tell (SQLite); elsewhere nothing is kept.
 */
import type { Reader } from '../store/base/database.js';

/** The state of the databases when it was asked for; undefined where they cannot tell. */
export type DatabaseState = string | number | undefined;

export class UnchangedReads<K, V> {
  readonly #readers: readonly Reader[];
  readonly #most: number;
  #state: DatabaseState;
  #known = new Map<K, V>();

  /** Keeps `most` values at most. */
  constructor(readers: readonly Reader[], most: number) {
    this.#readers = [...new Set(readers)];
    this.#most = most;
  }

  /** Taken before a value is looked for, and before it is read. */
  state(): DatabaseState {
    let state: DatabaseState;
    for (const reader of this.#readers) {
      const version = reader.version?.() ?? Number.NaN;
      if (Number.isNaN(version)) return undefined;
      state = state === undefined ? version : `${state} ${version}`;
    }
    return state;
  }

  /** The value that was read in this very state. */
  get(state: DatabaseState, key: K): V | undefined {
    return state !== undefined && state === this.#state ? this.#known.get(key) : undefined;
  }

  /** Keeps what was read after the state was taken. Of two states the one that was given last counts. */
  set(state: DatabaseState, { key, value }: { readonly key: K; readonly value: V }): void {
    if (state === undefined) return;
    if (state !== this.#state || this.#known.size >= this.#most) this.#known = new Map();
    this.#state = state;
    this.#known.set(key, value);
  }
}
