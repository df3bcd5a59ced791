/**
 * Where a click leads: the stored address of the banner with its link to a resource resolved and its placeholders
 * filled from the query of the click. Scheme and host are decided before any placeholder is looked at, so that the
 * query cannot lead a click to another place (docs/banners-tracking.md#where-a-click-leads).
 */
import { placeholderPattern, resourceLinkPattern } from './banner-url.js';
import { addUtm, type UtmFacts, type UtmRules } from './utm.js';

export interface TargetSource {
  /** The address as it is stored. */
  readonly url: string;
  /** Where addresses without scheme and host begin: an absolute URL, looked at for those only. */
  readonly base: string;
  /** Address of a resource, absolute or from `base`; null when there is none. */
  readonly resourceUrl: (id: number) => string | null;
}

/** An address whose scheme and host are certain, with holes for the placeholders in path and query. */
export interface Target {
  /** Scheme and authority, such as `https://example.com`. */
  readonly origin: string;
  readonly path: string;
  readonly search: string;
  readonly hash: string;
  /** Names of the placeholders, by number of the hole. */
  readonly names: readonly string[];
}

/** What the caller of a click may fill in. */
export type PlaceholderValues = (name: string) => string | undefined;

export interface UtmAddition {
  readonly rules: UtmRules;
  readonly facts: UtmFacts;
}

/** Browsers and proxies refuse longer ones; values that make an address longer are left out. */
const longestAddress = 8000;

/** Stands for a placeholder while the address is taken apart: letters that no part of an address encodes. */
const holeMark = 'hcd-hole-';
const holes = /hcd-hole-(\d+)-/g;

/** Null when the address is empty, links to no resource that there is, has other tags, or is not of http or https. */
export function readTarget({ url: stored, base, resourceUrl }: TargetSource): Target | null {
  const linked = resolveLink(stored.trim(), resourceUrl);
  if (linked === null || linked === '' || linked.includes(holeMark)) return null;
  const names: string[] = [];
  const text = linked.replaceAll(placeholderPattern, (_whole, tag?: string, brace?: string) => {
    names.push(tag ?? brace ?? '');
    return `${holeMark}${names.length - 1}-`;
  });
  // Tags of another kind are nothing that an address can hold.
  const url = text.includes('[[') ? null : parse(text, base);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return null;
  // A user or password only serves to make an address look like another one.
  if (url.host.includes(holeMark) || url.username !== '' || url.password !== '') return null;
  return Object.freeze({
    origin: url.origin,
    path: url.pathname,
    search: url.search,
    // What stands behind `#` is no part of what the other site is asked: nothing is filled in there.
    hash: url.hash.replaceAll(holes, ''),
    names: Object.freeze(names),
  });
}

/** The address to send a visitor to: ASCII without control characters, whatever the values are. */
export function fillTarget(target: Target, values: PlaceholderValues, utm: UtmAddition | null): string {
  const filled = assemble(target, values, utm);
  return filled.length <= longestAddress ? filled : assemble(target, () => undefined, utm);
}

/** The resource that the address links to, so that it can be read beforehand; null for none. */
export function linkedResource(url: string): number | null {
  const id = resourceLinkPattern.exec(url.trim())?.[1];
  return id === undefined ? null : Number(id);
}

function assemble({ origin, path, search, hash, names }: Target, values: PlaceholderValues, utm: UtmAddition | null) {
  const fill = (text: string): string =>
    text.replaceAll(holes, (_whole, number: string) => encodeURIComponent(values(names[Number(number)] ?? '') ?? ''));
  const filledPath = names.length === 0 ? path : path.split('/').map(fillSegment(fill)).join('/');
  const query = names.length === 0 ? search : fill(search);
  return `${origin}${filledPath}${utm === null ? query : addUtm(query, utm.rules, utm.facts)}${hash}`;
}

/** A value must not climb to another folder. */
function fillSegment(fill: (text: string) => string): (segment: string) => string {
  return (segment) => {
    const filled = fill(segment);
    return filled !== segment && /^(?:\.|%2e){1,2}$/i.test(filled) ? '' : filled;
  };
}

/** `[[~12? &name=`value`]]rest`: the resource's address, the properties as its query, and the rest. */
function resolveLink(text: string, resourceUrl: TargetSource['resourceUrl']): string | null {
  const [whole, id, properties = '', rest = ''] = resourceLinkPattern.exec(text) ?? [];
  if (whole === undefined) return text;
  const url = resourceUrl(Number(id));
  if (url === null) return null;
  const query = [...properties.matchAll(/&([\w.-]+)=`([^`]*)`/g)]
    // How the address is written, not a part of it.
    .filter(([, name]) => name !== 'scheme')
    .map(([, name = '', value = '']) => `${name}=${keepPlaceholders(value)}`)
    .join('&');
  const joined = query === '' ? url : `${url}${url.includes('?') ? '&' : '?'}${query}`;
  // A further parameter may follow an address that has a query already.
  return joined + (rest.startsWith('?') && joined.includes('?') ? `&${rest.slice(1)}` : rest);
}

/** Encoded as a value, without what is filled in later. */
function keepPlaceholders(value: string): string {
  const kept = value.match(placeholderPattern) ?? [];
  return value
    .split(placeholderPattern)
    .filter((_part, at) => at % 3 === 0)
    .map((part, at) => encodeURIComponent(part) + (kept[at] ?? ''))
    .join('');
}

/** Whether the address names its scheme and host itself. */
export function isWhole(url: string): boolean {
  return /^\s*https?:\/\//i.test(url);
}

function parse(text: string, base: string): URL | null {
  try {
    return isWhole(text) ? new URL(text) : new URL(text, base);
  } catch {
    // The constructor has no other failure than text that is no URL.
    return null;
  }
}
