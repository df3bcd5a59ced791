/** Puts together what the services need that write pages. */
import { openAdministration } from '../../src/services/administrator.js';
import { reconcilePages } from '../../src/services/page-delivery/reconcile.js';
import type { PageAuthoring } from '../../src/services/pages/page-authoring.js';
import type { Store } from '../../src/store/open.js';
import type { Deps } from '../deps.js';

export function authoringOf(store: Store, deps: Deps): PageAuthoring {
  return {
    store,
    by: 'cli',
    async tellReaders() {
      // Settings and rights are read only now: most commands need none of them.
      const { reader, live } = await openAdministration(store, deps);
      await reconcilePages({ store, registry: reader.registry, reader, live: () => live });
    },
  };
}
