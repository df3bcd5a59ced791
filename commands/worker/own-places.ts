/** Where this program's own server listens: deliveries never go there, since one could raise the next. */
import { networkInterfaces } from 'node:os';
import type { Config } from '../../src/config/definitions.js';
import type { OutboundPolicyParts } from '../../src/outbox/outbound-policy.js';

/** Its listener, and the addresses of this machine for a listener on all of them. */
export function ownPlaces({
  host,
  port,
}: Pick<Config, 'host' | 'port'>): Pick<OutboundPolicyParts, 'ownListeners' | 'ownAddresses'> {
  const ownAddresses = Object.values(networkInterfaces()).flatMap((list) => (list ?? []).map(({ address }) => address));
  return { ownListeners: [{ address: host, port }], ownAddresses };
}
