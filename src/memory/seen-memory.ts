/**
 * Credentials that were found good a moment ago, so that a busy frontend costs no read per request. Kept under the
 * digest of the whole text: only a caller with the right secret is found here, and guesses neither fill nor use it.
 * Code that changes a credential in this process need not know who verifies it, or which processes to notify.
 */
import type { Clock } from '../clock/clock.js';
import type { Database, Reader } from '../store/base/database.js';
import { LruMap } from '../values/lru-map.js';
import { perObject } from '../values/per-object.js';
import { type DatabaseMark, databaseMark } from './database-mark.js';

/**
 * Milliseconds. With the time that an answer takes, a revocation elsewhere holds within the promised second also where
 * the database cannot tell that another process committed.
 */
export const keptFor = 800;
const most = 10_000;

/** The caller that a credential identifies. */
export interface Verified<T> {
  readonly value: T;
  /** When it ends, Unix milliseconds; infinite without an end. */
  readonly endsOn: number;
}

export interface Seen<T> extends Verified<T> {
  /** The state of the databases before the credential was read. */
  readonly mark: DatabaseMark;
  /** When it was read, by the clock that never goes back. */
  readonly readAt: number;
}

/**
 * The credential with this name, from the memory or by `look`, which gets the time and gives null for a bad one. A promise
 * only for one that is looked for: the request of a known caller goes on in the turn in which it arrived.
 */
export type VerifiedBy<T> = (name: string, look: (now: number) => Promise<Verified<T> | null>) => T | Promise<T | null>;

/** A memory that forgets when a credential of `own` or a row of the databases changes. */
export function rememberVerified<T>({
  own,
  readers,
  clock,
}: {
  readonly own: Database;
  readonly readers: readonly Reader[];
  readonly clock: Pick<Clock, 'now' | 'elapsed'>;
}): VerifiedBy<T> {
  const entries = new LruMap<string, Seen<T>>(most);
  const markNow = databaseMark(readers);
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

/** Forgets every credential that was seen in this process. */
export function forgetSeen(own: Database): void {
  for (const forget of listenersOf(own).forget) forget();
}

/**
 * After a credential was changed: forgets them here, and resolves when the processes next to this one have confirmed.
 */
export async function tellRevocation(own: Database): Promise<void> {
  forgetSeen(own);
  await Promise.all(listenersOf(own).tell.map((tell) => tell()));
}

/** Calls `tell` after each change of a credential in this process; returns a function that stops this. */
export function onRevocation(own: Database, tell: () => Promise<void>): () => void {
  const { tell: listeners } = listenersOf(own);
  listeners.push(tell);
  return () => void listeners.splice(listeners.indexOf(tell), 1);
}
