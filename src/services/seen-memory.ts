/**
 * One memory of seen credentials per open database and kind of credential: who changes a credential in this process
 * need not know who verifies it.
 */
import type { Database } from '../store/database.js';
import { type SeenCredential, SeenCredentials } from './seen-credentials.js';

/** The function that gives the memory of a database, the same one each time. */
export function seenMemory<T extends SeenCredential>(): (own: Database) => SeenCredentials<T> {
  const memories = new WeakMap<Database, SeenCredentials<T>>();
  return function memoryOf(own) {
    const known = memories.get(own) ?? new SeenCredentials<T>();
    memories.set(own, known);
    return known;
  };
}
