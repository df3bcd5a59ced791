/** Whether an address and port lead back to this program: a delivery to itself could raise the next one. Pure. */
import { canonicalAddress } from './address.js';
import type { OutboundPolicy, OwnListener } from './outbound-policy.js';

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
export function isUnspecified(text: string): boolean {
  const address = canonicalAddress(text);
  return address === null || unspecified.has(address);
}

/** Whether only the machine itself reaches the address. */
export function isHere(text: string): boolean {
  const address = canonicalAddress(text) ?? text;
  return unspecified.has(address) || address.startsWith('127.') || address === '0:0:0:0:0:0:0:1';
}
