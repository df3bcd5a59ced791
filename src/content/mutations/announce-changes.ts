/** Announces mutations to the caches of all processes: the log of changes in the transaction, a word after the commit. */
import type { Tx } from '../../store/base/database.js';
import { type ContentChange, writeChangedRows } from '../live/content-change.js';
import type { Mutation } from '../live/mutation.js';
import { generationOf } from '../live/mutation-generation.js';
import { writeChange } from '../models/changes.js';
import type { MutationListeners } from './run-mutation.js';

/** A committed change, and its rows as they stand in the log. */
export interface AnnouncedChange extends ContentChange {
  readonly payload: string | null;
}

/**
 * The listener that every writer of content has, the last of its listeners: from here on other writers wait for the
 * commit. `tell` gets each change once it is committed; processes that hear nothing find it in the log.
 */
export function announceChanges(
  tell: (change: AnnouncedChange) => void | Promise<void> = () => undefined,
): MutationListeners {
  // A transaction that is repeated announces another mutation: only the one that is committed is told.
  const announced = new WeakMap<Mutation, AnnouncedChange>();
  return {
    async announce(tx: Tx, mutation) {
      const payload = writeChangedRows(mutation);
      const generation = await generationOf(tx, mutation);
      await writeChange(tx, { generation, payload });
      announced.set(mutation, { generation, payload, rows: payload === null ? null : mutation.rows });
    },
    committed(mutation) {
      const change = announced.get(mutation);
      return change === undefined ? undefined : tell(change);
    },
  };
}
