/** Visitors, and requests that are not visits. */
import ipaddr from 'ipaddr.js';
import { isbot } from 'isbot';

interface VisitorQuestion {
  readonly ip: string;
  readonly day: number;
  readonly digest: (text: string) => string;
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

export function truncateAddress(ip: string): string {
  if (!ipaddr.IPv4.isValidFourPartDecimal(ip) && !ipaddr.IPv6.isValid(ip)) return '';
  const address = ipaddr.process(ip);
  if (!(address instanceof ipaddr.IPv6)) return new ipaddr.IPv4([...address.octets.slice(0, 3), 0]).toString();
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

/** Crawlers and tools, by their User-Agent. */
export function isBot(userAgent: string | undefined): boolean {
  const text = userAgent?.trim() ?? '';
  return text === '' || isbot(text.slice(0, longestAgent));
}
