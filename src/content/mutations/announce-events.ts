/** Puts the events of mutations (docs/webhooks.md#what-raises-events) into the outbox, in the same transaction. */
import { enqueue } from '../../webhooks/queue/enqueue.js';
import { generationOf } from '../live/mutation-generation.js';
import { revalidateTags } from '../live/revalidate-tags.js';
import type { MutationListeners } from './run-mutation.js';

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
