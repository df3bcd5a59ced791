/** Which addresses lead to a server of the store, from the machine that asks. */
import { describe, expect, test } from 'vitest';
import { isOwnListener, makeOutboundPolicy, ownPlacesOf } from '../../src/webhooks/addresses/outbound-policy.js';

const here = { machine: 'a', addresses: ['127.0.0.1', '::1', '192.0.2.7'] };
const there = ['127.0.0.1', '::1', '192.0.2.8', '2001:db8::8'];

describe('a delivery is refused', () => {
  test.each<[name: string, machine: string, host: string, target: string, refused: boolean]>([
    ['to the loopback of this machine', 'a', '127.0.0.1', '127.0.0.1', true],
    ['to the loopback of this machine, written as all addresses', 'a', '127.0.0.1', '0.0.0.0', true],
    ['to an address of this machine when the server listens on all', 'a', '0.0.0.0', '192.0.2.7', true],
    ['to the IPv6 loopback when the server listens on all', 'a', '::', '::1', true],
    ['to a name of this machine', 'a', 'localhost', '127.0.0.1', true],
    ['to an address of another machine', 'b', '0.0.0.0', '192.0.2.8', true],
    ['to an IPv6 address of another machine', 'b', '::', '2001:db8::8', true],
    ['to the address that a server of another machine is bound to', 'b', '192.0.2.8', '192.0.2.8', true],
    ['not to the loopback here for a server on all addresses there', 'b', '0.0.0.0', '127.0.0.1', false],
    ['not to the loopback here for a server on the loopback there', 'b', '127.0.0.1', '127.0.0.1', false],
    ['not to an address here for a server there', 'b', '0.0.0.0', '192.0.2.7', false],
    ['not to another address there', 'b', '192.0.2.8', '192.0.2.9', false],
  ])('%s', (_name, machine, host, target, refused) => {
    const addresses = machine === here.machine ? here.addresses : there;
    const policy = makeOutboundPolicy(ownPlacesOf([{ machine, host, port: 8080, addresses }], here));
    expect(isOwnListener({ address: target, port: 8080 }, policy)).toBe(refused);
    expect(isOwnListener({ address: target, port: 8081 }, policy)).toBe(false);
  });
});
