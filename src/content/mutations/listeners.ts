/** The listeners of mutations: the caches of all processes, and the subscribers of events. */
import type { Tx } from '../../store/base/database.js';
import { bumpContentGeneration } from '../../store/state/state.js';
import { enqueue } from '../../webhooks/queue/enqueue.js';
import { type ContentChange, writeChangedRows } from '../live/content-change.js';
import { revalidateTags } from '../live/content-tags.js';
import type { Mutation } from '../live/mutation.js';
import { writeChange } from '../models/changes.js';
import type { MutationListeners } from './run-mutation.js';

/** A committed change, with its rows as the log has them. */
export interface AnnouncedChange extends ContentChange {
  readonly payload: string | null;
}

/**
 * Notes each mutation in the log of changes, in its transaction. Every writer has this listener, as the last one: from then
 * on other writers wait for the commit. `report` gets each change once it is committed; other processes read the log.
 */
export function announceChanges(
  report: (change: AnnouncedChange) => void | Promise<void> = () => undefined,
): MutationListeners {
  // A repeated transaction announces another mutation: only the committed one is reported.
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
      return change === undefined ? undefined : report(change);
    },
  };
}

/**
 * Puts the events of mutations (docs/webhooks.md#what-raises-events) into the outbox, in the same transaction. One event per
 * mutation, about the requested record; its tags name the rows that changed with it.
 */
export function announceEvents(): MutationListeners {
  return {
    async announce(tx, mutation) {
      const { object, action, key, context, uri, parent } = mutation;
      const facts = {
        ...{ object, action, key, context, uri, parent },
        // Computed only for an event with subscribers: a branch has tens of thousands of tags.
        get revalidate() {
          return revalidateTags(mutation);
        },
      };
      await enqueue(tx, facts, { revision: () => generationOf(tx, mutation) });
    },
    // Workers poll for deliveries.
    committed() {},
  };
}

/** Several listeners as one: each is called, in the order given. */
export function joinListeners(listeners: readonly MutationListeners[]): MutationListeners {
  return {
    async announce(tx, mutation) {
      for (const listener of listeners) await listener.announce(tx, mutation);
    },
    async committed(mutation) {
      // All at once: none has to wait for another.
      await Promise.all(listeners.map((listener) => listener.committed(mutation)));
    },
  };
}

/** By transaction: a repeated transaction raises the number again. */
const raised = new WeakMap<Tx, WeakMap<Mutation, Promise<number>>>();

/**
 * The generation of the content that the mutation makes, the same for its event and for the caches. The first call raises
 * it; from then on other writers wait for the commit.
 */
function generationOf(tx: Tx, mutation: Mutation): Promise<number> {
  const ofTransaction = raised.get(tx) ?? new WeakMap<Mutation, Promise<number>>();
  raised.set(tx, ofTransaction);
  const generation = ofTransaction.get(mutation) ?? bumpContentGeneration(tx);
  ofTransaction.set(mutation, generation);
  return generation;
}
