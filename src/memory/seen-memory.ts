/** What is remembered while no process has committed: results of reads, and credentials found good a moment ago. */
import type { Clock } from '../clock/clock.js';
import type { Database, Reader } from '../store/base/database.js';
import { LruMap, perObject } from '../values/kept-values.js';

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

/** Milliseconds; with the time of an answer, a revocation elsewhere holds within the promised second. */
const keptFor = 800;
const most = 10_000;

export interface Verified<T> {
  readonly value: T;
  /** Unix milliseconds; infinite without an end. */
  readonly endsOn: number;
}

interface Seen<T> extends Verified<T> {
  readonly mark: DatabaseMark;
  /** When it was read, by the clock that never goes back. */
  readonly readAt: number;
}

/** By a digest, so that guesses never fill it. `look` returns null for a bad credential; a promise only when it looks. */
export type VerifiedBy<T> = (name: string, look: (now: number) => Promise<Verified<T> | null>) => T | Promise<T | null>;

export function rememberVerified<T>({
  own,
  mark: markNow,
  clock,
}: {
  readonly own: Database;
  /** NaN remembers nothing. */
  readonly mark: () => DatabaseMark;
  readonly clock: Pick<Clock, 'now' | 'elapsed'>;
}): VerifiedBy<T> {
  const entries = new LruMap<string, Seen<T>>(most);
  let generation = 0;
  listenersOf(own).forget.push(() => {
    generation += 1;
    entries.clear();
  });
  const lookFor = async (name: string, { look, ...read }: Looking<T>): Promise<T | null> => {
    const before = generation;
    const found = await look(read.now);
    if (found === null) return null;
    // The row may have changed by then.
    if (before === generation) entries.set(name, { ...found, mark: read.mark, readAt: read.readAt });
    return found.value;
  };
  return function verifiedBy(name, look) {
    // The mark is taken before anything is read.
    const mark = markNow();
    const readAt = clock.elapsed();
    const now = clock.now();
    const seen = entries.get(name);
    const isCurrent = seen !== undefined && seen.mark === mark && readAt - seen.readAt < keptFor;
    return isCurrent && now < seen.endsOn ? seen.value : lookFor(name, { look, mark, readAt, now });
  };
}

interface Looking<T> extends Pick<Seen<T>, 'mark' | 'readAt'> {
  readonly look: Parameters<VerifiedBy<T>>[1];
  readonly now: number;
}

interface Listeners {
  readonly forget: (() => void)[];
  readonly tell: (() => Promise<void>)[];
}

const listenersOf = perObject<Database, Listeners>(() => ({ forget: [], tell: [] }));

export function forgetSeen(own: Database): void {
  for (const forget of listenersOf(own).forget) forget();
}

/** Forgets them, and resolves when the processes next to this one have confirmed. */
export async function tellRevocation(own: Database): Promise<void> {
  forgetSeen(own);
  await Promise.all(listenersOf(own).tell.map((tell) => tell()));
}

export function onRevocation(own: Database, tell: () => Promise<void>): () => void {
  const { tell: listeners } = listenersOf(own);
  listeners.push(tell);
  return () => void listeners.splice(listeners.indexOf(tell), 1);
}
