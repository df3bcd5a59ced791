/** Visitors, and requests that are not visits. */
import ipaddr from 'ipaddr.js';
import { isbot } from 'isbot';

interface VisitorQuestion {
  readonly ip: string;
  readonly day: number;
  readonly digest: (text: string) => string;
}

/** Its parts tell events apart: each has one row. */
export interface EventKey {
  readonly day: number;
  readonly ad: number;
  readonly position: number;
  readonly visitor: string;
}

export function eventKeyText({ day, ad, position, visitor }: EventKey): string {
  return `${day}-${ad}-${position}-${visitor}`;
}

/** Long enough that two visitors of a day do not collide. */
const length = 16;

/** A digest that does not connect two days (docs/banners-tracking.md#what-is-recorded). */
export function visitorOf({ ip, day, digest }: VisitorQuestion): string {
  return digest(`${day}|${hostOf(ip)}`).slice(0, length);
}

/** An IPv4 address, or the /64 of an IPv6 address: a single host can use any address of its /64. */
function hostOf(ip: string): string {
  if (!ip.includes(':') || !ipaddr.IPv6.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  if (!(address instanceof ipaddr.IPv6)) return address.toString();
  return `${address.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
}

const octet = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
/** Matches nearly every address; the library takes seven times as long. */
const plainIpv4 = new RegExp(`^(?:${octet}\\.){3}${octet}$`);

export function truncateAddress(ip: string): string {
  if (plainIpv4.test(ip)) return `${ip.slice(0, ip.lastIndexOf('.'))}.0`;
  if (!ipaddr.IPv6.isValid(ip)) return '';
  const address = ipaddr.process(ip);
  if (!(address instanceof ipaddr.IPv6)) return truncateAddress(address.toString());
  return new ipaddr.IPv6([...address.parts.slice(0, 3), 0, 0, 0, 0, 0]).toString();
}

type Header = (name: string) => string | undefined;

/** Any value but an empty one says that nothing is shown yet: prefetch, prerender, preview, instant. */
const purposes = [
  // Browsers today; Turbo cannot set the first one.
  'sec-purpose',
  'x-sec-purpose',
  // Chrome and Safari before, Facebook's app.
  'purpose',
  'x-purpose',
  // Firefox before.
  'x-moz',
  // Links of Next.js and htmx.
  'next-router-prefetch',
  'x-middleware-prefetch',
  'hx-preloaded',
] as const;

/** `Sec-Fetch-Dest` of what a page loads for itself: an address in it was not clicked. */
const parts: ReadonlySet<string> = new Set([
  ...['audio', 'audioworklet', 'embed', 'font', 'image', 'manifest', 'object', 'paintworklet', 'report', 'script'],
  ...['serviceworker', 'sharedworker', 'style', 'track', 'video', 'webidentity', 'worker', 'xslt'],
]);

/** docs/banners-tracking.md#requests-that-are-not-visits */
export function isAhead(header: Header): boolean {
  return purposes.some((name) => !['', '0', 'false'].includes(header(name)?.trim().toLowerCase() ?? ''));
}

export function isPartOfPage(header: Header): boolean {
  return parts.has(header('sec-fetch-dest')?.trim().toLowerCase() ?? '');
}

/** Browsers do not send longer texts, so the rest is ignored. */
const longestAgent = 512;

export function isBot(userAgent: string | undefined): boolean {
  const text = userAgent?.trim() ?? '';
  return text === '' || isbot(text.slice(0, longestAgent));
}
