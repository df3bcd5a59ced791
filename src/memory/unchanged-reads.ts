/** Keeps results of reads until the next commit, for databases that report commits (SQLite). */
import type { Reader } from '../store/base/database.js';
import { type DatabaseMark, databaseMark } from './database-mark.js';

export class UnchangedReads<K, V> {
  /** Taken before a look-up; NaN, which equals nothing, when the databases cannot report it. */
  readonly state: () => DatabaseMark;
  readonly #most: number;
  #stateOfKnown: DatabaseMark = Number.NaN;
  #known = new Map<K, V>();

  constructor(readers: readonly Reader[], most: number) {
    const canTell = readers.every(({ version }) => version !== undefined);
    this.state = canTell ? databaseMark(readers) : () => Number.NaN;
    this.#most = most;
  }

  get(state: DatabaseMark, key: K): V | undefined {
    return state === this.#stateOfKnown ? this.#known.get(key) : undefined;
  }

  /** Of two states the one that was set last counts. */
  set(state: DatabaseMark, { key, value }: { readonly key: K; readonly value: V }): void {
    if (Number.isNaN(state)) return;
    if (state !== this.#stateOfKnown || this.#known.size >= this.#most) this.#known = new Map();
    this.#stateOfKnown = state;
    this.#known.set(key, value);
  }
}
