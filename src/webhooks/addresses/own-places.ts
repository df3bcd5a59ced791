/** Where the servers of a store listen, as the checks of receivers read it. Pure. */
import type { Listener } from '../rows/listeners.js';
import type { OutboundPolicyParts, OwnListener } from './outbound-policy.js';
import { isHere, isUnspecified } from './own-listener.js';

export type OwnPlaces = Required<Pick<OutboundPolicyParts, 'ownListeners' | 'ownAddresses'>>;

/** The machine that asks. */
export interface Here {
  readonly machine: string;
  readonly addresses: readonly string[];
}

/** The addresses at which this machine reaches one of the servers. */
export function ownPlacesOf(listeners: readonly Listener[], { machine, addresses }: Here): OwnPlaces {
  return {
    ownListeners: listeners.flatMap((one) =>
      one.machine === machine ? [{ address: one.host, port: one.port }] : reachedFromAfar(one),
    ),
    ownAddresses: addresses,
  };
}

/** The loopback of another machine is not that of this one, where another program may use the port. */
function reachedFromAfar({ host, port, addresses }: Listener): readonly OwnListener[] {
  const bound = isUnspecified(host) ? addresses : [host];
  return bound.filter((address) => !isHere(address)).map((address) => ({ address, port }));
}
