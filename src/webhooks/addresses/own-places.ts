/** Where the servers of a store listen, as the checks of receivers read it. Pure. */
import type { Listener } from '../models/listeners.js';
import { canonicalAddress } from './address.js';
import type { OutboundPolicy, OutboundPolicyParts, OwnListener } from './outbound-policy.js';

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

/** Bound to, they stand for every address of the machine; connected to, they lead to its loopback. */
const unspecified: ReadonlySet<string> = new Set(['0.0.0.0', '0:0:0:0:0:0:0:0']);

/** Not to be opened by the list of allowed networks: it names networks, not ports. */
export function isOwnListener(target: OwnListener, policy: OutboundPolicy): boolean {
  const address = canonicalAddress(target.address);
  if (address === null) return false;
  return policy.ownListeners.some((own) => own.port === target.port && leadsTo({ address, own, policy }));
}

function leadsTo(question: {
  readonly address: string;
  readonly own: OwnListener;
  readonly policy: OutboundPolicy;
}): boolean {
  const { address, own, policy } = question;
  const bound = canonicalAddress(own.address);
  if (bound === null || isUnspecified(own.address)) {
    return isHere(address) || policy.ownAddresses.some((one) => canonicalAddress(one) === address);
  }
  return address === bound || (unspecified.has(address) && isHere(bound));
}

/** Bound to all addresses, or to a name, which is the machine's own: as if to all. */
function isUnspecified(text: string): boolean {
  const address = canonicalAddress(text);
  return address === null || unspecified.has(address);
}

/** Whether only the machine itself reaches the address. */
function isHere(text: string): boolean {
  const address = canonicalAddress(text) ?? text;
  return unspecified.has(address) || address.startsWith('127.') || address === '0:0:0:0:0:0:0:1';
}
