/** The client's address behind trusted proxies (docs/operations.md#behind-a-reverse-proxy). */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  clientNetwork,
  findClientIp,
  parseTrustedProxies,
  peerName,
} from '../../../src/http/interface/request-headers.js';
import { testRows } from '../../support/rows.js';
import { startTestServer } from '../../support/server.js';

const proxies = ['10.0.0.0/8', '192.0.2.7', '2001:db8:1::/48', '::ffff:198.51.100.0/120', 'nonsense', '1.2.3.4/99'];

test.each<[name: string, peer: string, forwarded: string | undefined, client: string]>([
  ['a stranger is its own address', '203.0.113.5', undefined, '203.0.113.5'],
  ['a stranger is not believed', '203.0.113.5', '8.8.8.8', '203.0.113.5'],
  ['a proxy without header is the client', '10.1.2.3', undefined, '10.1.2.3'],
  ['a proxy with an empty header is the client', '10.1.2.3', '', '10.1.2.3'],
  ['a proxy names the client', '10.1.2.3', '8.8.8.8', '8.8.8.8'],
  ['the right-most untrusted entry counts', '10.1.2.3', '1.1.1.1, 8.8.8.8, 192.0.2.7', '8.8.8.8'],
  ['only trusted entries: the left-most one', '10.1.2.3', '10.0.0.9, 192.0.2.7', '10.0.0.9'],
  ['what cannot be read ends the search', '10.1.2.3', '8.8.8.8, unknown, 10.0.0.9', '10.0.0.9'],
  ['junk alone leaves the proxy', '10.1.2.3', 'unknown', '10.1.2.3'],
  ['an empty entry ends the search', '10.1.2.3', '8.8.8.8,', '10.1.2.3'],
  ['an entry with a port', '10.1.2.3', '8.8.8.8:4711', '8.8.8.8'],
  ['an IPv6 entry with a port', '10.1.2.3', '[2001:db8::9]:4711', '2001:db8::9'],
  ['an IPv6 proxy in a range', '2001:db8:1:2::3', '2001:DB8:0:0::9', '2001:db8::9'],
  ['an IPv6 stranger', '2001:db8:2::3', '8.8.8.8', '2001:db8:2::3'],
  ['a mapped peer is its IPv4 address', '::ffff:10.1.2.3', '8.8.8.8', '8.8.8.8'],
  ['a mapped entry is its IPv4 address', '10.1.2.3', '::ffff:8.8.8.8', '8.8.8.8'],
  ['a mapped range is its IPv4 range', '198.51.100.200', '8.8.8.8', '8.8.8.8'],
  ['an IPv4 number in short form is junk', '10.1.2.3', '8.8.8.8, 134744072', '10.1.2.3'],
  ['an octal form is junk', '10.1.2.3', '8.8.8.8, 010.0.0.1', '10.1.2.3'],
  ['a zone is junk', '10.1.2.3', 'fe80::1%eth0', '10.1.2.3'],
  ['a peer that is gone has no address', '', '8.8.8.8', ''],
])('%s', (_name, peer, forwarded, client) => {
  expect(findClientIp(peer, forwarded, parseTrustedProxies(proxies))).toBe(client);
});

test.each([
  ['192.0.2.77', '192.0.2.0/24'],
  ['::ffff:192.0.2.77', '192.0.2.0/24'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['', ''],
])('failures from %s count for %s', (ip, network) => {
  expect(clientNetwork(ip)).toBe(network);
});

test.each([
  ['127.0.0.1', '127.0.0.1'],
  ['::1', '::1'],
  ['10.1.2.3', '10.1.2.3'],
  ['fd00::7', 'fd00::7'],
  ['8.8.8.8', '8.8.8.0/24'],
  ['2a00::7', '2a00:0:0:0::/64'],
])('the peer %s is written down as %s', (peer, name) => {
  expect(peerName(peer)).toBe(name);
});

describe('whatever a client writes into the header', () => {
  const trusted = parseTrustedProxies(['10.0.0.0/8', 'fd00::/8']);
  const entry = fc.oneof(fc.ipV4(), fc.ipV6(), fc.string({ maxLength: 20 }), fc.constant('10.0.0.1'), fc.constant(''));

  test('nothing to the left of the first untrusted entry changes the address', () => {
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 50 }), (noise) => {
        const header = [...noise.map((text) => text.replaceAll(',', '')), '203.0.113.5', '10.9.9.9'].join(', ');
        expect(findClientIp('10.1.1.1', header, trusted)).toBe('203.0.113.5');
      }),
    );
  });

  test('an untrusted peer is always itself', () => {
    fc.assert(
      fc.property(fc.string(), (header) => {
        expect(findClientIp('203.0.113.5', header, trusted)).toBe('203.0.113.5');
      }),
    );
  });

  test('it never throws', () => {
    fc.assert(
      fc.property(fc.string(), fc.array(entry), fc.array(fc.string()), (peer, entries, ranges) => {
        expect(typeof findClientIp(peer, entries.join(','), parseTrustedProxies(ranges))).toBe('string');
      }),
    );
  });
});

test('the handler is given the address, and a change of the setting counts at once', async () => {
  const server = await startTestServer({ endpoints: testRows });
  const headers = { 'X-Forwarded-For': '1.1.1.1, 203.0.113.5' };
  const clientIp = async () =>
    ((await server.ask('/api/v1/things', { headers })).json() as { clientIp: string }).clientIp;
  expect(await clientIp()).toBe('127.0.0.1');
  server.set({ gateway_trusted_proxies: ['127.0.0.0/8'] });
  expect(await clientIp()).toBe('203.0.113.5');
});
