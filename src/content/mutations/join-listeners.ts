/** Several listeners of mutations as one. */
import type { MutationListeners } from './run-mutation.js';

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
