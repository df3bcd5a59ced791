/**
 * Keeps results of reads until the next commit: as good as reading again. Only for databases that report commits
 * (SQLite); for others nothing is kept.
 */
import type { Reader } from '../store/base/database.js';
import { type DatabaseMark, databaseMark } from './database-mark.js';

export class UnchangedReads<K, V> {
  /**
   * The state of the databases; NaN, which equals nothing, where they cannot tell. Taken before a value is looked for.
   */
  readonly state: () => DatabaseMark;
  readonly #most: number;
  #stateOfKnown: DatabaseMark = Number.NaN;
  #known = new Map<K, V>();

  /** Keeps `most` values at most. */
  constructor(readers: readonly Reader[], most: number) {
    const canTell = readers.every(({ version }) => version !== undefined);
    this.state = canTell ? databaseMark(readers) : () => Number.NaN;
    this.#most = most;
  }

  /** The value that was read in this very state. */
  get(state: DatabaseMark, key: K): V | undefined {
    return state === this.#stateOfKnown ? this.#known.get(key) : undefined;
  }

  /** Keeps what was read after the state was taken. Of two states the one that was given last counts. */
  set(state: DatabaseMark, { key, value }: { readonly key: K; readonly value: V }): void {
    if (Number.isNaN(state)) return;
    if (state !== this.#stateOfKnown || this.#known.size >= this.#most) this.#known = new Map();
    this.#stateOfKnown = state;
    this.#known.set(key, value);
  }
}
