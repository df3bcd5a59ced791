/** Which addresses deliveries may go to: those of URLs, of answers of look-ups and of the peers of connections. */
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** The first address, and the number of leading bits that count. */
type AddressBlock = readonly [Address, number];

export interface AddressRules {
  /** Accepts private and local addresses, local names and every port; for development. */
  readonly allowPrivate: boolean;
  /** Overrides everything except the program's own listeners. */
  readonly allowed: readonly AddressBlock[];
  readonly denied: readonly AddressBlock[];
  /** On an IPv6-only network: the IPv4 address inside a NAT64 address decides. */
  readonly nat64: boolean;
}

/** `private` may be opened by a switch; `special` only by naming the address. */
type AddressKind = 'public' | 'private' | 'nat64' | 'special';

/** The registry of IPv4 special-purpose addresses, multicast, and services of platforms. */
const ipv4Ranges: readonly (readonly [block: string, kind: AddressKind])[] = [
  ['0.0.0.0/8', 'special'],
  ['10.0.0.0/8', 'private'],
  ['100.64.0.0/10', 'private'],
  ['127.0.0.0/8', 'private'],
  // Link-local: the instance metadata of most platforms answers here.
  ['169.254.0.0/16', 'special'],
  ['172.16.0.0/12', 'private'],
  ['192.0.0.0/24', 'special'],
  ['192.0.2.0/24', 'special'],
  ['192.31.196.0/24', 'special'],
  ['192.52.193.0/24', 'special'],
  ['192.88.99.0/24', 'special'],
  ['192.168.0.0/16', 'private'],
  ['192.175.48.0/24', 'special'],
  ['198.18.0.0/15', 'special'],
  ['198.51.100.0/24', 'special'],
  ['203.0.113.0/24', 'special'],
  ['224.0.0.0/4', 'special'],
  ['240.0.0.0/4', 'special'],
  // The platform service of one large cloud, outside the registry.
  ['168.63.129.16/32', 'special'],
  // Instance metadata of another one, inside shared address space.
  ['100.100.100.200/32', 'special'],
];

const ipv6Ranges: readonly (readonly [block: string, kind: AddressKind])[] = [
  ['::1/128', 'private'],
  ['fc00::/7', 'private'],
  // Instance metadata and platform services of two large clouds, inside unique local addresses.
  ['fd00:ec2::/32', 'special'],
  ['fd20:ce::254/128', 'special'],
  ['64:ff9b::/96', 'nat64'],
  // Protocol assignments, Teredo, benchmarking, ORCHID: nothing in it is a web server.
  ['2001::/23', 'special'],
  ['2001:db8::/32', 'special'],
  // 6to4 holds an IPv4 address.
  ['2002::/16', 'special'],
  ['2620:4f:8000::/48', 'special'],
  ['3fff::/20', 'special'],
  ['2000::/3', 'public'],
];

interface Range {
  readonly block: AddressBlock;
  readonly kind: AddressKind;
}

const ranges: readonly Range[] = [...ipv4Ranges, ...ipv6Ranges]
  .map(([text, kind]) => ({ block: parseBlock(text), kind }))
  .sort((left, right) => right.block[1] - left.block[1]);

export function classifyAddress(text: string): AddressKind | null {
  const address = readAddress(text);
  return address === null ? null : kindOf(address);
}

export function isAddressAllowed(text: string, rules: AddressRules): boolean {
  const address = readAddress(text);
  return address !== null && isAllowed(address, rules);
}

/** The operator means every port and name that leads to a named address. */
export function isAddressNamed(text: string, rules: AddressRules): boolean {
  const address = readAddress(text);
  return address !== null && isIn(address, rules.allowed);
}

/** Unwraps an IPv4 address inside a mapped one. Null for a text that is not an address. */
export function canonicalAddress(text: string): string | null {
  const address = readAddress(text);
  if (address === null) return null;
  const mapped = address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress();
  return mapped ? address.toIPv4Address().toString() : address.toNormalizedString();
}

/** Throws TypeError for an invalid text: settings have checked them before. */
export function parseBlocks(texts: readonly string[]): readonly AddressBlock[] {
  return Object.freeze(texts.map(parseBlock));
}

function isAllowed(address: Address, rules: AddressRules): boolean {
  if (isIn(address, rules.allowed)) return true;
  if (isIn(address, rules.denied)) return false;
  switch (kindOf(address)) {
    case 'public':
      return true;
    case 'private':
      return rules.allowPrivate;
    case 'nat64':
      return rules.nat64 && address instanceof ipaddr.IPv6 && isAllowed(lastFourBytes(address), rules);
    case 'special':
      return false;
  }
}

function kindOf(address: Address): AddressKind {
  if (address instanceof ipaddr.IPv6 && isIsatap(address)) return 'special';
  const found = ranges.find(({ block }) => matches(address, block));
  // Outside the registry every IPv4 address is public; of IPv6 only 2000::/3 is.
  return found?.kind ?? (address instanceof ipaddr.IPv4 ? 'public' : 'special');
}

/** An interface id that holds an IPv4 address (RFC 5214), under any prefix. */
function isIsatap({ parts }: ipaddr.IPv6): boolean {
  return parts[5] === 0x5efe && (parts[4] === 0 || parts[4] === 0x200);
}

function lastFourBytes(address: ipaddr.IPv6): ipaddr.IPv4 {
  return new ipaddr.IPv4(address.toByteArray().slice(12));
}

function isIn(address: Address, blocks: readonly AddressBlock[]): boolean {
  return blocks.some((block) => matches(address, block));
}

function matches(address: Address, [first, bits]: AddressBlock): boolean {
  if (address instanceof ipaddr.IPv4) return first instanceof ipaddr.IPv4 && address.match(first, bits);
  return first instanceof ipaddr.IPv6 && address.match(first, bits);
}

/** Refuses other texts that some parsers accept as addresses. */
function readAddress(text: string): Address | null {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  if (!text.includes(':') || text.includes('%') || !ipaddr.IPv6.isValid(text)) return null;
  return ipaddr.IPv6.parse(text);
}

function parseBlock(text: string): AddressBlock {
  const [addressText = '', bitsText] = text.split('/');
  const address = readAddress(addressText);
  if (address === null) throw new TypeError(`not an address or CIDR block: ${text}`);
  const width = address instanceof ipaddr.IPv4 ? 32 : 128;
  const bits = bitsText === undefined ? width : Number(bitsText);
  if (!Number.isInteger(bits) || bits < 0 || bits > width) throw new TypeError(`not a CIDR block: ${text}`);
  return [address, bits];
}
