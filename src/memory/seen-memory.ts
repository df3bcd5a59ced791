/**
 * One memory of seen credentials per open database and kind of credential: who changes a credential in this process
 * need not know who verifies it, nor who else has to hear of it.
 */
import type { Database } from '../store/base/database.js';
import { type SeenCredential, SeenCredentials } from './seen-credentials.js';

interface Memories {
  readonly forget: (() => void)[];
  readonly tell: (() => Promise<void>)[];
}

const byDatabase = new WeakMap<Database, Memories>();

function memoriesOf(own: Database): Memories {
  const known = byDatabase.get(own) ?? { forget: [], tell: [] };
  byDatabase.set(own, known);
  return known;
}

/** The function that gives the memory of a database, the same one each time. */
export function seenMemory<T extends SeenCredential>(): (own: Database) => SeenCredentials<T> {
  const memories = new WeakMap<Database, SeenCredentials<T>>();
  return function memoryOf(own) {
    const known = memories.get(own);
    if (known !== undefined) return known;
    const fresh = new SeenCredentials<T>();
    memories.set(own, fresh);
    memoriesOf(own).forget.push(() => fresh.forget());
    return fresh;
  };
}

/** Forgets every credential that was seen in this process. */
export function forgetSeen(own: Database): void {
  for (const forget of memoriesOf(own).forget) forget();
}

/** After a credential was changed: forgets them here, and resolves when the processes beside this one have heard of it. */
export async function tellRevocation(own: Database): Promise<void> {
  forgetSeen(own);
  await Promise.all(memoriesOf(own).tell.map((tell) => tell()));
}

/** Calls `tell` after each change of a credential in this process; gives the end of that. */
export function onRevocation(own: Database, tell: () => Promise<void>): () => void {
  const { tell: listeners } = memoriesOf(own);
  listeners.push(tell);
  return () => void listeners.splice(listeners.indexOf(tell), 1);
}
