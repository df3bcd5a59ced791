/** The query string as pairs: splitting, decoding and the one form of documented parameters. */
import { badParameter } from '../../errors/app-error.js';
import type { Endpoint, ParameterDoc } from './endpoint.js';

export type QueryPair = readonly [name: string, value: string];

/** Throws bad_request for a parameter that is given twice. */
export function onlyValue(name: string, values: readonly string[]): string | undefined {
  if (values.length > 1) throw badParameter(name, 'is given more than once; give it once');
  return values[0];
}

/** Throws bad_request for a parameter that is given twice. */
export function single(pairs: readonly QueryPair[], name: string): string | undefined {
  return onlyValue(
    name,
    pairs.filter(([key]) => key === name).map(([, value]) => value),
  );
}

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

export interface Selected {
  /** Lists in one form: see `selectParameters`. */
  readonly pairs: readonly QueryPair[];
  readonly ignored: readonly string[];
  readonly misshapen: { readonly name: string; readonly problem: string } | null;
}

/** `name[]=v` and `name[3]=v`; and `name=v` for the name of a list. */
interface Member {
  /** Members without an index follow the others, in the given order. */
  readonly index: number;
  readonly value: string;
}

const noIndex = 10_000;
/** Smaller than `noIndex`; each index has one text. */
const memberForm = /^(.+)\[(0|[1-9]\d{0,3})?\]$/;

/** Lists arrive in one form (docs/reference/http.md#lists): comma lists as one pair, others as one pair per member. */
export function selectParameters({ parameters }: Endpoint): (query: readonly QueryPair[]) => Selected {
  const documented = parameters.filter((row) => row.in === 'query');
  const exact = new Map(documented.map((row) => [row.name, row]));
  const prefixes = documented.flatMap(({ name }) => (name.endsWith('*') ? [name.slice(0, -1)] : []));
  return (query) => {
    const ignored = new Set<string>();
    const members = new Map<string, Member[]>();
    const found: (QueryPair | string)[] = [];
    let misshapen: Selected['misshapen'] = null;
    for (const pair of query) {
      const [given, value] = pair;
      const row = exact.get(given.split('[', 1)[0] ?? '');
      if (row === undefined) {
        if (prefixes.some((prefix) => given.startsWith(prefix))) found.push(pair);
        else ignored.add(given);
        continue;
      }
      const { list, index, problem } = memberOf(given, row);
      if (problem !== undefined) misshapen ??= { name: row.name, problem };
      if (list === null) {
        found.push(pair);
        continue;
      }
      const before = members.get(list) ?? [];
      if (before.length === 0) found.push(list);
      if (index < noIndex && before.some((one) => one.index === index))
        misshapen ??= { name: row.name, problem: `${given} is given twice` };
      members.set(list, before);
      before.push({ index, value });
    }
    const pairs = found.flatMap((one) =>
      typeof one === 'string' ? inOneForm(one, members.get(one) ?? [], exact) : [one],
    );
    return { pairs, ignored: [...ignored].sort(), misshapen };
  };
}

function memberOf(
  given: string,
  { name, list = false, brackets }: ParameterDoc,
): { readonly list: string | null; readonly index: number; readonly problem?: string } {
  const [, stem = given, digits] = memberForm.exec(given) ?? [];
  const index = digits === undefined ? noIndex : Number(digits);
  const isItself = stem === name;
  if (brackets === 'names') {
    // The handler refuses brackets that it does not understand.
    const isMember = list ? isItself || /^[^[]+\[[^[\]]+\]$/.test(stem) : stem !== given && !isItself;
    return { list: isMember ? (list ? stem : `${stem}[]`) : null, index };
  }
  const isList = list || brackets === 'items';
  if (given === name || (isItself && isList)) return { list: isList ? name : null, index };
  const forms = list ? 'a,b' : isList ? 'a' : 'value';
  return {
    list: null,
    index,
    problem: `${given} is not understood; use ${name}=${forms}${isList ? `, ${name}[]=a or ${name}[0]=a` : ''}`,
  };
}

function inOneForm(
  name: string,
  members: readonly Member[],
  documented: ReadonlyMap<string, ParameterDoc>,
): readonly QueryPair[] {
  const values = members.toSorted((one, other) => one.index - other.index).map(({ value }) => value);
  const isCommaList = documented.get(name.split('[', 1)[0] ?? '')?.list === true;
  return isCommaList ? [[name, values.join(',')]] : values.map((value) => [name, value]);
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
