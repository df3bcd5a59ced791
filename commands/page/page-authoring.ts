/** What the use cases need that write pages or know who sees them. */
import { openAdministration } from '../../src/content/live/administrator.js';
import type { PageAuthoring } from '../../src/pages/authoring/announce.js';
import type { DeliverySite } from '../../src/pages/delivery/deliverable.js';
import { reconcilePages } from '../../src/pages/delivery/reconcile.js';
import type { Store } from '../../src/store/open/open.js';
import type { Deps } from '../deps.js';

export function authoringOf(store: Store, deps: Deps): PageAuthoring {
  return {
    store,
    by: 'cli',
    async tellReaders() {
      await reconcilePages(await deliverySiteOf(store, deps));
    },
  };
}

/** With the current settings and access rules; called late, because most commands need none of them. */
export async function deliverySiteOf(store: Store, deps: Deps): Promise<DeliverySite> {
  const { reader, live } = await openAdministration(store, deps);
  return { store, registry: reader.registry, reader, live: () => live };
}
