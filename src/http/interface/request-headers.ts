/** What a request says in its headers: credentials, cookies, accepted types, and for whom a proxy forwards it. */
import { isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { AppError } from '../../errors/app-error.js';
import { parseUrl, trimEndOf } from '../../values/text.js';
import type { Call } from './endpoint.js';

/** Longer than any credential of ours: refused without a look-up. */
const longest = 256;
const bearer = /^bearer\s+(\S+)$/i;
/** Schemes of servers in front of this one, which browsers and proxies send with every request. */
const foreign =
  /^(?:basic|digest|hoba|kerberos|mutual|negotiate|ntlm|scram-sha-1|scram-sha-256|vapid|aws4-hmac-sha256)(?:\s|$)/i;

/** Null without a credential, or with one for a server in front; empty for a wrong one. */
export function readBearer(caller: Pick<Call, 'header'>): string | null {
  const given = caller.header('authorization')?.trim() ?? '';
  if (given === '' || foreign.test(given)) return null;
  return withinBounds(bearer.exec(given)?.[1] ?? '');
}

export function readKeyHeader(caller: Pick<Call, 'header'>): string | null {
  const given = caller.header('x-api-key')?.trim();
  return given === undefined ? null : withinBounds(given);
}

/** Carries the token of a preview (docs/previews.md); links use the parameter. */
export const previewHeader = 'x-preview-token';
export const previewParameter = 'preview_token';

/** Throws invalid_token for a text that cannot be a token. */
export function readPreviewToken(
  caller: Pick<Call, 'header'> & { queryValues(name: string): readonly string[] },
): string | null {
  const header = caller.header(previewHeader);
  const given = header === undefined ? caller.queryValues(previewParameter) : [header.trim()];
  const [token] = given;
  if (token === undefined) return null;
  if (given.length > 1 || token === '' || token.length > longest) throw new AppError('invalid_token');
  return token;
}

function withinBounds(text: string): string {
  return text.length > longest || /\s/.test(text) ? '' : text;
}

/** The first with exactly this name. Never throws. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  if (header === undefined || !header.includes(name)) return undefined;
  for (const pair of header.split(';')) {
    const equals = pair.indexOf('=');
    if (equals < 0 || trimmed(pair.slice(0, equals)) !== name) continue;
    const value = trimmed(pair.slice(equals + 1));
    const isQuoted = value.length >= 2 && value.startsWith('"') && value.endsWith('"');
    return isQuoted ? value.slice(1, -1) : value;
  }
  return undefined;
}

/** Not `trim`: browsers keep U+00A0, so a neighbouring host could set what `trim` turns into `__Host-`. */
function trimmed(text: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && isSpace(text.charCodeAt(from))) from += 1;
  while (to > from && isSpace(text.charCodeAt(to - 1))) to -= 1;
  return text.slice(from, to);
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x09;
}

interface CookieToSet {
  readonly name: string;
  /** Letters that need no encoding; null clears the cookie. */
  readonly value: string | null;
  readonly secure: boolean;
  readonly maxAge?: number;
}

/** For the whole host, out of reach of scripts. */
export function setCookie({ name, value, secure, maxAge }: CookieToSet): string {
  const parts = [`${name}=${value ?? ''}`, 'Path=/', 'HttpOnly', 'SameSite=Lax'];
  if (secure) parts.push('Secure');
  if (value === null) parts.push('Max-Age=0');
  else if (maxAge !== undefined) parts.push(`Max-Age=${maxAge}`);
  return parts.join('; ');
}

interface MediaRange {
  readonly type: string;
  readonly subtype: string;
  readonly quality: number;
}

/** The first offered one among equals; null when the header excludes all. */
export function chooseMediaType(accept: string | undefined, offered: readonly string[]): string | null {
  const first = offered[0] ?? null;
  if (accept === undefined || accept === '*/*' || accept === first) return first;
  const ranges = parseRanges(accept);
  // A header without one readable range says nothing.
  if (ranges.length === 0) return first;
  let best: string | null = null;
  let bestQuality = 0;
  for (const type of offered) {
    const quality = qualityOf(type, ranges);
    if (quality > bestQuality) {
      best = type;
      bestQuality = quality;
    }
  }
  return best;
}

function qualityOf(mediaType: string, ranges: readonly MediaRange[]): number {
  const [type, subtype] = mediaType.split('/', 2);
  let specificity = 0;
  let quality = 0;
  for (const range of ranges) {
    const found =
      range.type === '*' ? 1 : range.type !== type ? 0 : range.subtype === '*' ? 2 : range.subtype === subtype ? 3 : 0;
    if (found > specificity) {
      specificity = found;
      quality = range.quality;
    } else if (found === specificity && found > 0) {
      quality = Math.max(quality, range.quality);
    }
  }
  return quality;
}

const rangeForm = /^([a-z0-9!#$&^_.+-]+|\*)\/([a-z0-9!#$&^_.+-]+|\*)$/;
const qualityForm = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;

/** Unreadable ranges are left out. Parameters other than `q` do not narrow a range. */
function parseRanges(accept: string): readonly MediaRange[] {
  return accept
    .toLowerCase()
    .split(',')
    .flatMap((part) => {
      const [range = '', ...parameters] = part.split(';').map((piece) => piece.trim());
      const [, type, subtype] = rangeForm.exec(range) ?? [];
      if (type === undefined || subtype === undefined || (type === '*' && subtype !== '*')) return [];
      const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
      return qualityForm.test(weight) ? [{ type, subtype, quality: Number(weight) }] : [];
    });
}

// Trusted proxies say who asks, and under which address (docs/operations.md#behind-a-reverse-proxy).

type Address = ipaddr.IPv4 | ipaddr.IPv6;
export type TrustedRange = readonly [Address, number];

/** An unreadable entry matches no address. */
export function parseTrustedProxies(entries: readonly string[]): readonly TrustedRange[] {
  return entries.flatMap((entry) => {
    const range = readRange(entry.trim());
    return range === null ? [] : [range];
  });
}

/** In canonical text; IPv4-mapped IPv6 addresses become IPv4. */
export function findClientIp(peer: string, forwarded: string | undefined, trusted: readonly TrustedRange[]): string {
  const isBelieved = forwarded !== undefined && trusted.length > 0;
  // Parsing an address takes longer than counting its request.
  if (!isBelieved && isIPv4(peer)) return peer;
  const peerAddress = readAddress(peer);
  if (peerAddress === null) return peer;
  if (!isBelieved || !isTrusted(peerAddress, trusted)) return peerAddress.toString();
  let client = peerAddress;
  const entries = forwarded.split(',');
  for (let index = entries.length - 1; index >= 0; index -= 1) {
    const address = readEntry(entries[index] ?? '');
    // An entry that cannot be read is not trusted, and neither are those to its left.
    if (address === null) break;
    client = address;
    if (!isTrusted(address, trusted)) break;
  }
  return client.toString();
}

/** Whether to believe the peer about scheme, host and client. */
export function isTrustedPeer(peer: string, trusted: readonly TrustedRange[]): boolean {
  if (trusted.length === 0) return false;
  const address = readAddress(peer);
  return address !== null && isTrusted(address, trusted);
}

/** An IPv4 address, or the /64 of an IPv6 one, since a single host has all of it to choose from. */
export function clientBlock(ip: string): string {
  if (!ip.includes(':')) return ip;
  const address = readAddress(ip);
  if (!(address instanceof ipaddr.IPv6)) return address?.toString() ?? ip;
  return `${address.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
}

/** The source of failures: a /24 of IPv4, or a /64 of IPv6. */
export function clientNetwork(ip: string): string {
  const block = clientBlock(ip);
  return ipaddr.IPv4.isValidFourPartDecimal(block) ? block.replace(/\.\d{1,3}$/, '.0/24') : block;
}

/** For logs: the address within private networks and on this machine, else its network. */
export function peerName(peer: string): string {
  const address = readAddress(peer);
  if (address === null) return peer;
  return address.range() === 'unicast' ? clientNetwork(address.toString()) : address.toString();
}

function isTrusted(address: Address, trusted: readonly TrustedRange[]): boolean {
  return trusted.some(([range, bits]) => {
    if (address instanceof ipaddr.IPv4) return range instanceof ipaddr.IPv4 && address.match(range, bits);
    return range instanceof ipaddr.IPv6 && address.match(range, bits);
  });
}

/** Some proxies add a port (`192.0.2.1:80`, `[2001:db8::1]:80`). */
function readEntry(entry: string): Address | null {
  const text = entry.trim();
  const bracketed = /^\[([^\]]+)\](?::\d{1,5})?$/.exec(text)?.[1];
  if (bracketed !== undefined) return readAddress(bracketed);
  return readAddress(/^([\d.]+):\d{1,5}$/.exec(text)?.[1] ?? text);
}

const mapped = '::ffff:';

function readAddress(text: string): Address | null {
  // The library also reads "1", "0x7f.1" and "010.0.0.1"; in a header only the plain form is an address. It reads IPv4
  // addresses ten times as fast as their form in IPv6, which every peer has at a socket for both.
  const plain = text.startsWith(mapped) ? text.slice(mapped.length) : text;
  if (ipaddr.IPv4.isValidFourPartDecimal(plain)) return ipaddr.IPv4.parse(plain);
  if (!text.includes(':') || text.includes('%') || !ipaddr.IPv6.isValid(text)) return null;
  return ipaddr.process(text);
}

function readRange(entry: string): TrustedRange | null {
  const [text = '', bitsText] = entry.split('/', 2);
  const address = readAddress(text);
  if (address === null) return null;
  const width = address instanceof ipaddr.IPv4 ? 32 : 128;
  if (bitsText === undefined) return [address, width];
  if (!/^\d{1,3}$/.test(bitsText)) return null;
  // A mapped range (::ffff:10.0.0.0/104) is the IPv4 range behind it.
  const bits = Number(bitsText) - (width === 32 && text.includes(':') ? 96 : 0);
  return bits >= 0 && bits <= width ? [address, bits] : null;
}

export const hostForm = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;

interface KnownAddresses {
  readonly configured: string;
  readonly site: () => string | null;
}

/** Scheme, host and an optional path, without a slash at the end: `https://example.com`. */
export function publicAddress(
  call: Pick<Call, 'forwardedAddress' | 'listeningAddress'>,
  { configured, site }: KnownAddresses,
): string {
  const address = configured || (call.forwardedAddress ?? site() ?? call.listeningAddress);
  return trimEndOf(address, '/');
}

/** The nearest proxy wrote the right-most one; null for anything but a host with or without a port. */
export function forwardedHost(header: string | undefined): string | null {
  const host = lastOf(header).toLowerCase();
  if (!hostForm.test(host)) return null;
  return parseUrl(`http://${host}`)?.host === host.replace(/:80$/, '') ? host : null;
}

/** The nearest proxy wrote the right-most one. */
export function forwardedScheme(header: string | undefined): 'http' | 'https' | null {
  const scheme = lastOf(header).toLowerCase();
  return scheme === 'http' || scheme === 'https' ? scheme : null;
}

function lastOf(header: string | undefined): string {
  return header?.split(',').at(-1)?.trim() ?? '';
}
