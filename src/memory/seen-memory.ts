/** Credentials found good a moment ago, by the digest of the whole text, so guesses neither fill nor use it. */
import type { Clock } from '../clock/clock.js';
import type { Database } from '../store/base/database.js';
import { LruMap, perObject } from '../values/kept-values.js';
import type { DatabaseMark } from './database-mark.js';

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

/** `look` returns null for a bad credential; the result is a promise only when it looks. */
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
