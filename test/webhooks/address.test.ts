/** Which addresses deliveries may go to: the special ranges to their edges, every way of writing an address, operators' lists. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { classifyAddress, isAddressAllowed } from '../../src/webhooks/addresses/address.js';
import { isOwnListener, makeOutboundPolicy } from '../../src/webhooks/addresses/outbound-policy.js';
import { checkReceiverUrl } from '../../src/webhooks/addresses/receiver-url.js';

const closed = makeOutboundPolicy({});

/** The registry, typed a second time from its source: first and last address of each block. */
const specialIpv4: readonly (readonly [first: string, last: string])[] = [
  ['0.0.0.0', '0.255.255.255'],
  ['10.0.0.0', '10.255.255.255'],
  ['100.64.0.0', '100.127.255.255'],
  ['127.0.0.0', '127.255.255.255'],
  ['168.63.129.16', '168.63.129.16'],
  ['169.254.0.0', '169.254.255.255'],
  ['172.16.0.0', '172.31.255.255'],
  ['192.0.0.0', '192.0.0.255'],
  ['192.0.2.0', '192.0.2.255'],
  ['192.31.196.0', '192.31.196.255'],
  ['192.52.193.0', '192.52.193.255'],
  ['192.88.99.0', '192.88.99.255'],
  ['192.168.0.0', '192.168.255.255'],
  ['192.175.48.0', '192.175.48.255'],
  ['198.18.0.0', '198.19.255.255'],
  ['198.51.100.0', '198.51.100.255'],
  ['203.0.113.0', '203.0.113.255'],
  ['224.0.0.0', '255.255.255.255'],
];

function toNumber(address: string): number {
  return address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
}

function toText(value: number): string {
  return [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256).join('.');
}

const blocks = specialIpv4.map(([first, last]) => [toNumber(first), toNumber(last)] as const);
const isSpecial = (value: number): boolean => blocks.some(([first, last]) => value >= first && value <= last);

const anyIpv4 = fc.integer({ min: 0, max: 2 ** 32 - 1 });
const specialAddress = fc.constantFrom(...blocks).chain(([first, last]) => fc.integer({ min: first, max: last }));

describe('IPv4', () => {
  test.each(specialIpv4)('the block from %s to %s is closed to its edges and no further', (first, last) => {
    const [from, to] = [toNumber(first), toNumber(last)];
    for (const inside of [from, to])
      expect([toText(inside), isAddressAllowed(toText(inside), closed)]).toEqual([toText(inside), false]);
    for (const outside of [from - 1, to + 1].filter((value) => value >= 0 && value < 2 ** 32)) {
      expect([toText(outside), isAddressAllowed(toText(outside), closed)]).toEqual([
        toText(outside),
        !isSpecial(outside),
      ]);
    }
  });

  test('addresses are open exactly when no special block holds them', () => {
    fc.assert(
      fc.property(anyIpv4, (value) => isAddressAllowed(toText(value), closed) === !isSpecial(value)),
      { numRuns: 5000 },
    );
  });

  test.each([
    '',
    '1',
    '127.1',
    '0x7f.0.0.1',
    '010.0.0.1',
    '8.8.8',
    '8.8.8.8.8',
    '8.8.8.8 ',
    '256.1.1.1',
    '８.8.8.8',
    'example.com',
  ])('%j is no address', (text) => {
    expect([classifyAddress(text), isAddressAllowed(text, closed)]).toEqual([null, false]);
  });
});

describe('IPv6', () => {
  test.each([
    ['unspecified', '::'],
    ['loopback', '::1'],
    ['the first address before 2000::/3', '1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['the first address after 2000::/3', '4000::'],
    ['an address far outside', '4000::1'],
    ['IPv4-compatible', '::127.0.0.1'],
    ['IPv4-compatible of a public address', '::808:808'],
    ['IPv4-mapped', '::ffff:127.0.0.1'],
    ['IPv4-mapped of a public address', '::ffff:8.8.8.8'],
    ['IPv4-translated', '::ffff:0:127.0.0.1'],
    ['NAT64', '64:ff9b::7f00:1'],
    ['NAT64 of a public address', '64:ff9b::808:808'],
    ['NAT64 for local use', '64:ff9b:1::1'],
    ['discard', '100::1'],
    ['Teredo', '2001::1'],
    ['benchmarking', '2001:2::1'],
    ['ORCHID', '2001:20::1'],
    ['the end of the protocol assignments', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['documentation', '2001:db8::1'],
    ['6to4 of loopback', '2002:7f00:1::1'],
    ['AS112', '2620:4f:8000::1'],
    ['new documentation', '3fff::1'],
    ['ISATAP in a public prefix', '2a00:1450::5efe:7f00:1'],
    ['ISATAP with the universal bit', '2a00:1450::200:5efe:7f00:1'],
    ['segment routing', '5f00::1'],
    ['unique local', 'fd12:3456::1'],
    ['metadata in unique local', 'fd00:ec2::254'],
    ['credentials in unique local', 'fd00:ec2::23'],
    ['metadata of another cloud in unique local', 'fd20:ce::254'],
    ['link-local', 'fe80::1'],
    ['link-local with a zone', 'fe80::1%eth0'],
    ['public with a zone', '2a00:1450::1%eth0'],
    ['site-local', 'fec0::1'],
    ['multicast', 'ff02::1'],
  ])('%s is closed', (_name, address) => {
    expect(isAddressAllowed(address, closed)).toBe(false);
  });

  test.each([
    ['a resolver', '2001:4860:4860::8888'],
    ['the first address of 2000::/3', '2000::'],
    ['just after the protocol assignments', '2001:200::'],
    ['just before documentation', '2001:db7:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['just after documentation', '2001:db9::'],
    ['just before 6to4', '2001:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['just after 6to4', '2003::'],
    ['just after AS112', '2620:4f:8001::'],
    ['just before new documentation', '3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['just after new documentation', '3fff:1000::'],
    ['the end of 2000::/3', '3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ])('%s is open', (_name, address) => {
    expect(isAddressAllowed(address, closed)).toBe(true);
  });
});

describe('rules of the operator', () => {
  test.each([
    ['private addresses open by the switch', { allowPrivate: true }, '10.1.2.3', true],
    ['loopback too', { allowPrivate: true }, '::1', true],
    ['but not the metadata address', { allowPrivate: true }, '169.254.169.254', false],
    ['nor metadata in shared address space', { allowPrivate: true }, '100.100.100.200', false],
    ['nor services of platforms in unique local', { allowPrivate: true }, 'fd00:ec2::23', false],
    ['nor multicast', { allowPrivate: true }, '224.0.0.1', false],
    ['a named address opens', { allowed: ['127.0.0.1'] }, '127.0.0.1', true],
    ['and no other', { allowed: ['127.0.0.1'] }, '127.0.0.2', false],
    ['a named block opens', { allowed: ['fd00::/8'] }, 'fd12::1', true],
    ['a block of IPv4 says nothing of IPv6', { allowed: ['0.0.0.0/0'] }, '::1', false],
    ['a denied block closes', { denied: ['8.8.0.0/16'] }, '8.8.8.8', false],
    ['denied wins over the switch', { denied: ['10.0.0.0/8'], allowPrivate: true }, '10.1.2.3', false],
    ['allowed wins over denied', { denied: ['8.8.0.0/16'], allowed: ['8.8.8.8'] }, '8.8.8.8', true],
    ['NAT64 of a public address', { nat64: true }, '64:ff9b::808:808', true],
    ['NAT64 of loopback', { nat64: true }, '64:ff9b::7f00:1', false],
    ['NAT64 of a denied address', { nat64: true, denied: ['8.8.8.8'] }, '64:ff9b::808:808', false],
    ['NAT64 of a named private address', { nat64: true, allowed: ['10.0.0.0/8'] }, '64:ff9b::a01:203', true],
    ['NAT64 for local use stays closed', { nat64: true }, '64:ff9b:1::808:808', false],
  ])('%s', (_name, rules, address, expected) => {
    expect(isAddressAllowed(address, makeOutboundPolicy(rules))).toBe(expected);
  });

  test('refuses an invalid address block when the policy is made', () => {
    expect(() => makeOutboundPolicy({ allowed: ['10.0.0.0/33'] })).toThrow(TypeError);
    expect(() => makeOutboundPolicy({ denied: ['example.com'] })).toThrow(TypeError);
  });
});

describe('the own listeners', () => {
  const own = (address: string) =>
    makeOutboundPolicy({
      allowed: ['0.0.0.0/0', '::/0'],
      ownListeners: [{ address, port: 8080 }],
      ownAddresses: ['192.0.2.7'],
    });

  test.each([
    ['the bound address', '127.0.0.1', '127.0.0.1', true],
    ['the same address mapped', '127.0.0.1', '::ffff:127.0.0.1', true],
    ['another loopback address', '127.0.0.1', '127.0.0.2', false],
    ['the unspecified address leads to loopback', '127.0.0.1', '0.0.0.0', true],
    ['so does the one of IPv6', '::1', '::', true],
    ['bound to everything, loopback', '0.0.0.0', '127.9.9.9', true],
    ['bound to everything, an address of the machine', '::', '192.0.2.7', true],
    ['bound to everything, an address elsewhere', '0.0.0.0', '192.0.2.8', false],
    ['bound to a name', 'localhost', '127.0.0.1', true],
  ])('%s', (_name, bound, address, expected) => {
    expect(isOwnListener({ address, port: 8080 }, own(bound))).toBe(expected);
    expect(isOwnListener({ address, port: 8081 }, own(bound))).toBe(false);
  });
});

/** Every part in one of the notations that URL parsers understand. */
function partText(value: number): fc.Arbitrary<string> {
  return fc.constantFrom(
    String(value),
    `0x${value.toString(16)}`,
    `0X${value.toString(16).toUpperCase()}`,
    `0${value.toString(8)}`,
    `000${value.toString(8)}`,
  );
}

/** Four, three, two parts or one: the last takes the bytes that are left. */
function shortForms(value: number): fc.Arbitrary<string> {
  return fc.integer({ min: 1, max: 4 }).chain((count) => {
    const parts = [24, 16, 8, 0].slice(0, count - 1).map((shift) => Math.floor(value / 2 ** shift) % 256);
    const rest = value % 2 ** (8 * (5 - count));
    return fc.tuple(...[...parts, rest].map(partText)).map((texts) => texts.join('.'));
  });
}

const disguises: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => `${text}.`,
  (text) => [...text].map((char) => `%${char.charCodeAt(0).toString(16)}`).join(''),
  // Fullwidth digits and letters, circled digits, mathematical digits, ideographic full stops.
  (text) => text.replace(/[0-9a-zA-Z]/g, (char) => String.fromCodePoint(char.charCodeAt(0) + 0xfee0)),
  (text) => text.replace(/[1-9]/g, (char) => String.fromCodePoint(0x245f + Number(char))),
  (text) => text.replace(/\d/g, (char) => String.fromCodePoint(0x1d7ce + Number(char))),
  (text) => text.replaceAll('.', '。'),
  (text) => `[::${text}]`,
];

function hexPair(value: number): string {
  return `${Math.floor(value / 65_536).toString(16)}:${(value % 65_536).toString(16)}`;
}

/** Every way in which an IPv6 address holds an IPv4 one. */
const embeddings: readonly ((value: number) => string)[] = [
  (value) => `::${hexPair(value)}`,
  (value) => `::${toText(value)}`,
  (value) => `::ffff:${hexPair(value)}`,
  (value) => `::ffff:${toText(value)}`,
  (value) => `0:0:0:0:0:FFFF:${hexPair(value)}`,
  (value) => `::ffff:0:${toText(value)}`,
  (value) => `64:ff9b::${toText(value)}`,
  (value) => `64:ff9b:1::${toText(value)}`,
  (value) => `64:ff9b:1:${hexPair(value)}::`,
  (value) => `2002:${hexPair(value)}::`,
  (value) => `2001:0:${hexPair(value)}::1`,
  (value) => `2001:0:808:808:0:0:${hexPair(2 ** 32 - 1 - value)}`,
  (value) => `fe80::5efe:${hexPair(value)}`,
  (value) => `2a00:1450:4001::5efe:${hexPair(value)}`,
];

test('no way of writing a special address gets past the check of URLs', () => {
  const hosts = fc.oneof(
    specialAddress
      .chain((value) => shortForms(value))
      .chain((text) => fc.constantFrom(...disguises).map((disguise) => disguise(text))),
    fc.tuple(specialAddress, fc.constantFrom(...embeddings)).map(([value, embed]) => `[${embed(value)}]`),
  );
  fc.assert(
    fc.property(
      fc.constantFrom('http', 'https'),
      hosts,
      fc.constantFrom('', ':80', ':443', ':8080'),
      (scheme, host, port) => {
        const checked = checkReceiverUrl(`${scheme}://${host}${port}/hook`, closed);
        return !checked.ok;
      },
    ),
    { numRuns: 20_000 },
  );
});

test('every public address gets past it in its plain form', () => {
  fc.assert(
    fc.property(
      anyIpv4.filter((value) => !isSpecial(value)),
      (value) => checkReceiverUrl(`http://${toText(value)}/`, closed).ok,
    ),
    { numRuns: 5000 },
  );
});
