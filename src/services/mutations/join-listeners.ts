/** Several listeners of mutations as one. */
import type { MutationListeners } from './run-mutation.js';

/** Tells each of them, in the order given. */
export function joinListeners(listeners: readonly MutationListeners[]): MutationListeners {
  return {
    async announce(tx, mutation) {
      for (const listener of listeners) await listener.announce(tx, mutation);
    },
    committed(mutation) {
      for (const listener of listeners) listener.committed(mutation);
    },
  };
}
