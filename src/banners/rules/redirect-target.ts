/** Where a click leads (docs/banners-tracking.md#where-a-click-leads). The query of a click cannot change the host. */
import { placeholderPattern, resourceLinkPattern } from './banner-url.js';
import type { EventKey } from './visitor.js';

interface TargetSource {
  readonly url: string;
  readonly base: string;
  readonly resourceUrl: (id: number) => string | null;
}

/** An address with a decided host, and holes for the placeholders in path and query. */
export interface Target {
  readonly origin: string;
  readonly path: string;
  readonly search: string;
  readonly hash: string;
  readonly names: readonly string[];
}

export type PlaceholderValues = (name: string) => string | undefined;

/** Browsers and proxies refuse longer ones; values that make an address longer are left out. */
const longestAddress = 8000;

/** Replaces a placeholder while the address is parsed: characters that no part of an address encodes. */
const holeMark = 'hcd-hole-';
const holes = /hcd-hole-(\d+)-/g;

/** Null when the address is empty, links to an unknown resource, has other tags, or is neither http nor https. */
export function readTarget({ url: stored, base, resourceUrl }: TargetSource): Target | null {
  const linked = resolveLink(stored.trim(), resourceUrl);
  if (linked === null || linked === '' || linked.includes(holeMark)) return null;
  const names: string[] = [];
  const text = linked.replaceAll(placeholderPattern, (_whole, tag?: string, brace?: string) => {
    names.push(tag ?? brace ?? '');
    return `${holeMark}${names.length - 1}-`;
  });
  // Other tags cannot be part of an address.
  const url = text.includes('[[') ? null : parse(text, base);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return null;
  // A user or a password could disguise the real host.
  if (url.host.includes(holeMark) || url.username !== '' || url.password !== '') return null;
  return Object.freeze({
    origin: url.origin,
    path: url.pathname,
    search: url.search,
    // The other site does not see the text after `#`, so its placeholders are not filled.
    hash: url.hash.replaceAll(holes, ''),
    names: Object.freeze(names),
  });
}

export function fillTarget(target: Target, values: PlaceholderValues, utm: Utm | null): string {
  const filled = assemble(target, values, utm);
  return filled.length <= longestAddress ? filled : assemble(target, () => undefined, utm);
}

export function linkedResource(url: string): number | null {
  const id = resourceLinkPattern.exec(url.trim())?.[1];
  return id === undefined ? null : Number(id);
}

function assemble({ origin, path, search, hash, names }: Target, values: PlaceholderValues, utm: Utm | null) {
  const fill = (text: string): string =>
    text.replaceAll(holes, (_whole, number: string) => encodeURIComponent(values(names[Number(number)] ?? '') ?? ''));
  const filledPath = names.length === 0 ? path : path.split('/').map(fillSegment(fill)).join('/');
  const query = names.length === 0 ? search : fill(search);
  return `${origin}${filledPath}${utm === null ? query : addUtm(query, utm)}${hash}`;
}

/** A value must not lead to a parent folder. */
function fillSegment(fill: (text: string) => string): (segment: string) => string {
  return (segment) => {
    const filled = fill(segment);
    return filled !== segment && /^(?:\.|%2e){1,2}$/i.test(filled) ? '' : filled;
  };
}

function resolveLink(text: string, resourceUrl: TargetSource['resourceUrl']): string | null {
  const [whole, id, properties = '', rest = ''] = resourceLinkPattern.exec(text) ?? [];
  if (whole === undefined) return text;
  const url = resourceUrl(Number(id));
  if (url === null) return null;
  const query = [...properties.matchAll(/&([\w.-]+)=`([^`]*)`/g)]
    // An option of the link, not a parameter of the address.
    .filter(([, name]) => name !== 'scheme')
    .map(([, name = '', value = '']) => `${name}=${keepPlaceholders(value)}`)
    .join('&');
  const joined = query === '' ? url : `${url}${url.includes('?') ? '&' : '?'}${query}`;
  // A further parameter may follow an address that has a query already.
  return joined + (rest.startsWith('?') && joined.includes('?') ? `&${rest.slice(1)}` : rest);
}

function keepPlaceholders(value: string): string {
  const kept = value.match(placeholderPattern) ?? [];
  return value
    .split(placeholderPattern)
    .filter((_part, at) => at % 3 === 0)
    .map((part, at) => encodeURIComponent(part) + (kept[at] ?? ''))
    .join('');
}

export function isWhole(url: string): boolean {
  return /^\s*https?:\/\//i.test(url);
}

function parse(text: string, base: string): URL | null {
  try {
    return isWhole(text) ? new URL(text) : new URL(text, base);
  } catch {
    return null;
  }
}

interface Utm {
  readonly rules: Readonly<Record<`banners_utm_${'source' | 'medium' | 'campaign' | 'content'}`, string>>;
  /** By the names that campaign and content may have in braces. */
  readonly facts: ReadonlyMap<string, string | number>;
}

export function addUtm(search: string, { rules, facts }: Utm): string {
  const present = new Set(new URLSearchParams(search).keys());
  // Unknown names stay as they are, so that the mistake is visible.
  const filled = (text: string): string =>
    text.replace(/\{(\w+)\}/g, (whole, name: string) => String(facts.get(name) ?? whole));
  const added = [
    ['utm_source', rules.banners_utm_source],
    ['utm_medium', rules.banners_utm_medium],
    ['utm_campaign', filled(rules.banners_utm_campaign)],
    ['utm_content', filled(rules.banners_utm_content)],
  ].flatMap(([name = '', value = '']) =>
    value === '' || present.has(name) ? [] : [`${name}=${encodeURIComponent(value)}`],
  );
  if (added.length === 0) return search;
  const own = search.replace(/^\?/, '');
  return `?${[...(own === '' ? [] : [own]), ...added].join('&')}`;
}

type Digest = (text: string) => string;

const form = /^(\d{8})\.(\d{1,10})\.(\d{1,10})\.([0-9a-f]{16})\.[0-9a-f]{32}$/;
const signatureLength = 32;

/** Names a click before its row is written, signed so that a visitor cannot name another's click. */
export function writeClickReference({ day, ad, position, visitor }: EventKey, digest: Digest): string {
  const text = `${day}.${ad}.${position}.${visitor}`;
  return `${text}.${digest(text).slice(0, signatureLength)}`;
}

/** Null for a text that this site did not sign. `isSame` compares in constant time. */
export function readClickReference(
  text: string,
  { digest, isSame }: { readonly digest: Digest; readonly isSame: (given: string, expected: string) => boolean },
): EventKey | null {
  const [, day, ad, position, visitor = ''] = form.exec(text) ?? [];
  if (day === undefined) return null;
  const reference = { day: Number(day), ad: Number(ad), position: Number(position), visitor };
  return isSame(text, writeClickReference(reference, digest)) ? reference : null;
}
