/** The state of databases as a mark to compare: whether any process has committed since. */
import type { Reader } from '../store/base/database.js';

/** Distinguishes states of the databases; always the same for databases that have no number of their state. */
export type DatabaseMark = string | number;

/** NaN when a database with a version does not answer; databases without one (MariaDB) have no part in it. */
export function databaseMark(readers: readonly Reader[]): () => DatabaseMark {
  const [first, second] = [...new Set(readers)].filter((reader) => reader.version !== undefined);
  if (second === undefined) return () => first?.version?.() ?? 0;
  return () => {
    const [one = Number.NaN, other = Number.NaN] = [first?.version?.(), second.version?.()];
    return Number.isNaN(one) || Number.isNaN(other) ? Number.NaN : `${one} ${other}`;
  };
}

/** The last known mark, if the database must be asked for it: for answers kept as long as its state stays the same. */
export function knownMark(reader: Reader): () => DatabaseMark {
  return () => reader.version?.() ?? reader.knownVersion?.() ?? 0;
}

export function laterMark(readers: readonly Reader[]): (() => Promise<DatabaseMark>) | null {
  const looks: (() => Promise<number>)[] = [];
  for (const reader of readers) {
    if (reader.version !== undefined) looks.push(async () => reader.version?.() ?? Number.NaN);
    else if (reader.laterVersion !== undefined) looks.push(reader.laterVersion.bind(reader));
    else return null;
  }
  return async () => {
    const states = await Promise.all(looks.map((look) => look()));
    return states.some(Number.isNaN) ? Number.NaN : states.join(' ');
  };
}

/** Results until the next commit, for databases that report commits (SQLite). */
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
