/** Where the servers of this store listen. Deliveries never go there: each could cause the next. */
import { hostname, networkInterfaces } from 'node:os';
import type { Config } from '../../src/config/definitions.js';
import type { Store } from '../../src/store/open/open.js';
import { type Here, type OwnPlaces, ownPlacesOf } from '../../src/webhooks/addresses/outbound-policy.js';
import { readListeners } from '../../src/webhooks/models/listeners.js';
import { listenerLifetimeMs } from '../../src/webhooks/worker/keep-listener.js';

export function thisMachine(): Here {
  const addresses = Object.values(networkInterfaces()).flatMap((list) => (list ?? []).map(({ address }) => address));
  return { machine: hostname(), addresses };
}

export async function readOwnPlaces(store: Store, { host, port }: Pick<Config, 'host' | 'port'>): Promise<OwnPlaces> {
  const here = thisMachine();
  const running = await readListeners(store.own.primary, listenerLifetimeMs);
  return ownPlacesOf([{ ...here, host, port }, ...running], here);
}
