/** Announces mutations to the caches of all processes: the log of changes in the transaction, a word after the commit. */
import type { Tx } from '../../store/base/database.js';
import { bumpContentGeneration } from '../../store/state/state.js';
import { enqueue } from '../../webhooks/queue/enqueue.js';
import { type ContentChange, writeChangedRows } from '../live/content-change.js';
import { revalidateTags } from '../live/content-tags.js';
import type { Mutation } from '../live/mutation.js';
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

/** One event per mutation, about the requested record; rows that changed with it are named by its tags. */
export function announceEvents(): MutationListeners {
  return {
    async announce(tx, mutation) {
      const { object, action, key, context, uri, parent } = mutation;
      const facts = {
        ...{ object, action, key, context, uri, parent },
        // Asked for only when somebody wants the event: a branch has tens of thousands of tags.
        get revalidate() {
          return revalidateTags(mutation);
        },
      };
      await enqueue(tx, facts, { revision: () => generationOf(tx, mutation) });
    },
    // Workers look for deliveries by themselves.
    committed() {},
  };
}

/** Tells each of them, in the order given. */
export function joinListeners(listeners: readonly MutationListeners[]): MutationListeners {
  return {
    async announce(tx, mutation) {
      for (const listener of listeners) await listener.announce(tx, mutation);
    },
    async committed(mutation) {
      // All hear of it at once: none has to wait for what another one waits for.
      await Promise.all(listeners.map((listener) => listener.committed(mutation)));
    },
  };
}

/** By transaction: one that is repeated raises the number anew. */
const raised = new WeakMap<Tx, WeakMap<Mutation, Promise<number>>>();

/** Raises the generation the first time; from then on other writers wait for the commit. */
function generationOf(tx: Tx, mutation: Mutation): Promise<number> {
  const ofTransaction = raised.get(tx) ?? new WeakMap<Mutation, Promise<number>>();
  raised.set(tx, ofTransaction);
  const generation = ofTransaction.get(mutation) ?? bumpContentGeneration(tx);
  ofTransaction.set(mutation, generation);
  return generation;
}
