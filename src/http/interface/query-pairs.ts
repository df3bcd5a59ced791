/** The query string as pairs: splitting, decoding and the canonical form of the parameters that an endpoint knows. */
import type { Endpoint } from './endpoint.js';

export type QueryPair = readonly [name: string, value: string];

/** Pairs in order. The text must have passed isReadable. */
export function parseQuery(text: string): readonly QueryPair[] {
  if (text === '') return [];
  const pairs: QueryPair[] = [];
  for (const part of text.split('&')) {
    if (part === '') continue;
    const equals = part.indexOf('=');
    pairs.push(equals < 0 ? [decode(part), ''] : [decode(part.slice(0, equals)), decode(part.slice(equals + 1))]);
  }
  return pairs;
}

/** False for malformed percent-encoding, for bytes that are not UTF-8 (overlong forms included) and for NUL. */
export function isReadable(text: string): boolean {
  if (!text.includes('%')) return !text.includes('\0');
  try {
    return !decodeURIComponent(text).includes('\0');
  } catch {
    // decodeURIComponent has no other failure than text that cannot be decoded.
    return false;
  }
}

/** A test for the query names that the endpoint documents, the forms with brackets and `prefix*` names included. */
export function makeKnownTest(endpoint: Endpoint): (name: string) => boolean {
  const exact = new Set<string>();
  const prefixes: string[] = [];
  for (const { name, in: place, list, brackets } of endpoint.parameters) {
    if (place !== 'query') continue;
    if (name.endsWith('*')) prefixes.push(name.slice(0, -1));
    else exact.add(name);
    if (list || brackets === 'items') exact.add(`${name}[]`);
    if (brackets === 'names') prefixes.push(`${name}[`);
  }
  return (name) => exact.has(name) || prefixes.some((prefix) => name.startsWith(prefix));
}

/** Makes a function that puts all values of a list into one pair with commas between them, where the first one stood. */
export function makeListJoiner(endpoint: Endpoint): (pairs: readonly QueryPair[]) => readonly QueryPair[] {
  const lists = new Set(endpoint.parameters.filter((row) => row.in === 'query' && row.list).map((row) => row.name));
  if (lists.size === 0) return (pairs) => pairs;
  /** The list that a pair belongs to, where `fields[children]` is a separate list; null for other parameters. */
  const listOf = (given: string): string | null => {
    const name = given.endsWith('[]') ? given.slice(0, -2) : given;
    return lists.has(name.replace(/\[[^[\]]+\]$/, '')) ? name : null;
  };
  return (pairs) => {
    const values = new Map<string, string[]>();
    const joined: (QueryPair | string)[] = [];
    for (const pair of pairs) {
      const list = listOf(pair[0]);
      const known = list === null ? undefined : values.get(list);
      if (list === null) joined.push(pair);
      else if (known === undefined) {
        values.set(list, [pair[1]]);
        joined.push(list);
      } else known.push(pair[1]);
    }
    return joined.map((one) => (typeof one === 'string' ? [one, (values.get(one) ?? []).join(',')] : one));
  };
}

/** Equal for two queries that differ only in the order of differently named parameters. */
export function canonicalQuery(pairs: readonly QueryPair[]): string {
  if (pairs.length === 0) return '';
  // Array sort is stable, so repeated names keep their order. NUL cannot occur in names and values.
  return [...pairs]
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([name, value]) => `${name}\0${value}`)
    .join('\0');
}

function decode(text: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  return spaced.includes('%') ? decodeURIComponent(spaced) : spaced;
}
