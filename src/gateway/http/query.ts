/** The gateway's query language (docs/reference/gateway.md): spelling and limits, without definitions. */

import type { Settings } from '../../config/settings.js';
import { booleanOf } from '../../config/value-type.js';
import type {
  IncludePath,
  ListIntent,
  Paging,
  ShapeIntent,
  SortTerm,
  TreeIntent,
  TvRequest,
} from '../../content/query/ast.js';
import { Problems } from '../../errors/app-error.js';
import { largestUnsigned } from '../../values/unsigned.js';
import { type QueryPairs, readFilters, readValueForm } from './filters.js';

export type QueryLimits = Pick<
  Settings,
  | 'gateway_max_limit'
  | 'gateway_max_offset'
  | 'gateway_max_fields'
  | 'gateway_max_include_relations'
  | 'gateway_max_include_depth'
>;

export interface QuerySource {
  readonly query: QueryPairs;
  readonly contextHeader: string | undefined;
  readonly limits: QueryLimits;
}

const defaultLimit = 20;
export const longestSearch = 100;

export const longestWords = 200;

export function parseList(source: QuerySource): ListIntent {
  const problems = new Problems();
  const shape = readShape(source, problems);
  const ids = readIds(source.query, problems);
  const intent: ListIntent = {
    ...shape,
    filters: readFilters(source.query, problems),
    sort: readSort(single(source.query, ['sort'], problems)),
    search: readSearch(single(source.query, ['q'], problems), problems),
    words: readWords(source.query, problems),
    withExcerpt: isYes(single(source.query, ['search_excerpt'], problems)),
    ids,
    paging: ids === null ? readPaging(source, problems) : { kind: 'offset', limit: Math.max(1, ids.length), offset: 0 },
  };
  problems.throwIfAny();
  return Object.freeze(intent);
}

const mostNamed = 100;
const ofOrder = ['limit', 'offset', 'page', 'cursor', 'sort'];

/** One answer has the named records in the given order, so paging and sorting are refused. */
function refuseOrder(query: QueryPairs, name: string, problems: Problems): void {
  for (const other of ofOrder.filter((one) => isGiven(query, one)))
    problems.add(other, `cannot be combined with ${name}`);
}

function readIds(query: QueryPairs, problems: Problems): number[] | null {
  // An empty list names no record: a client that made it does not want all of them.
  if (!present(query, 'ids')) return null;
  refuseOrder(query, 'ids', problems);
  const ids = commaList(single(query, ['ids'], problems) ?? '');
  if (ids.length > mostNamed) problems.add('ids', `must name at most ${mostNamed} records`);
  if (!ids.every((id) => /^[1-9]\d{0,15}$/.test(id))) problems.add('ids', 'must be a comma list of positive integers');
  return ids.map(Number);
}

export function parseUris(query: QueryPairs): readonly string[] | null {
  const uris = query.filter(([name]) => name === 'uris').map(([, value]) => value);
  if (uris.length === 0) return null;
  const problems = new Problems();
  refuseOrder(query, 'uris', problems);
  if (uris.length > mostNamed) problems.add('uris', `must name at most ${mostNamed} pages`);
  problems.throwIfAny();
  return [...new Set(uris)];
}

function readSearch(text: string | null, problems: Problems): string | null {
  const search = text?.trim() ?? '';
  if ([...search].length > longestSearch) problems.add('q', `must have at most ${longestSearch} characters`);
  return search === '' ? null : search;
}

function readWords(query: QueryPairs, problems: Problems): string | null {
  const text = single(query, ['search'], problems)?.trim() ?? '';
  if (text === '') return null;
  if ([...text].length > longestWords) problems.add('search', `must have at most ${longestWords} characters`);
  return text;
}

export function parseShape(source: QuerySource): ShapeIntent {
  const problems = new Problems();
  const intent = readShape(source, problems);
  problems.throwIfAny();
  return Object.freeze(intent);
}

const deepestTree = 10;

export function parseTree(source: QuerySource): TreeIntent {
  const problems = new Problems();
  const { query } = source;
  const number = (name: string, { min, max, absent }: { min: number; max: number; absent: number }): number => {
    const text = single(query, [name], problems);
    if (text === null) return absent;
    if (/^\d{1,10}$/.test(text) && Number(text) >= min && Number(text) <= max) return Number(text);
    problems.add(name, `must be an integer from ${min} to ${max}`, `Invalid ${name}`);
    return absent;
  };
  const intent: TreeIntent = {
    ...readShape(source, problems),
    root: number('root', { min: 0, max: largestUnsigned, absent: 0 }),
    depth: number('depth', { min: 1, max: deepestTree, absent: deepestTree }),
    withHidden: isYes(single(query, ['hidden'], problems)),
  };
  problems.throwIfAny();
  return Object.freeze(intent);
}

function readShape({ query, contextHeader, limits }: QuerySource, problems: Problems): ShapeIntent {
  const { include, tvPaths, tvRecords } = readInclude(single(query, ['include'], problems), limits, problems);
  const form = readValueForm((name) => single(query, [name], problems), problems);
  if (tvRecords.length > 0 && form?.typed !== true) {
    problems.add('include', `tvs.${tvRecords[0]} needs tv_format=typed`, 'Include not allowed');
  }
  const tvs = withNames(readTvs(query, tvPaths.length > 0, problems), tvRecords);
  const includeTv =
    present(query, 'tv_fields') || tvRecords.length > 0 || isYes(single(query, ['include_tv'], problems));
  const contextParameter = single(query, ['context'], problems);
  const header = contextHeader?.trim();
  return {
    fields: readFields(single(query, ['fields'], problems), limits, problems),
    relationFields: readRelationFields(query, limits, problems),
    include,
    tvPaths: includeTv ? [[], ...tvPaths] : tvPaths,
    tvs,
    tvRecords,
    form,
    context: header || contextParameter,
    preview: isYes(single(query, ['preview'], problems)),
    includeDeleted: isYes(single(query, ['include_deleted', 'includeDeleted'], problems)),
  };
}

function readFields(text: string | null, limits: QueryLimits, problems: Problems): string[] | null {
  if (text === null) return null;
  const items = commaItems(text);
  if (items.length > limits.gateway_max_fields) {
    problems.add('fields', `at most ${limits.gateway_max_fields} fields`, 'Too many fields requested');
  }
  return items.length === 0 ? null : [...new Set(items)];
}

function readRelationFields(query: QueryPairs, limits: QueryLimits, problems: Problems): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const [name, text] of query) {
    const path = /^fields\[([^[\]]+)\]$/.exec(name)?.[1];
    if (path !== undefined) {
      const fields = readFields(text, limits, problems);
      if (fields !== null) found.set(path, fields);
    } else if (name.startsWith('fields[')) {
      problems.add('fields', `${name} is not understood; use fields=a,b or fields[relation]=a,b`);
    }
  }
  return found;
}

function readInclude(
  text: string | null,
  limits: QueryLimits,
  problems: Problems,
): { include: IncludePath[]; tvPaths: IncludePath[]; tvRecords: string[] } {
  const items = text === null ? [] : commaItems(text);
  const paths = [...new Set(items)].map((path) => path.split('.'));
  if (items.length > limits.gateway_max_include_relations) {
    problems.add('include', `at most ${limits.gateway_max_include_relations} relations`, 'Too many includes requested');
  }
  const include: IncludePath[] = [];
  const tvPaths: IncludePath[] = [];
  const tvRecords: string[] = [];
  for (const path of paths) {
    if (path.length > limits.gateway_max_include_depth) {
      problems.add(
        'include',
        `${path.join('.')} is deeper than ${limits.gateway_max_include_depth}`,
        'Include depth exceeded',
      );
    }
    const [first, second] = path;
    const last = path.at(-1);
    if (last === 'tvs' || last === 'tv') tvPaths.push(path.slice(0, -1));
    else if ((first === 'tvs' || first === 'tv') && second !== undefined && path.length === 2) tvRecords.push(second);
    else include.push(path);
  }
  return { include, tvPaths, tvRecords };
}

function readTvs(query: QueryPairs, included: boolean, problems: Problems): TvRequest | null {
  const names = single(query, ['tv_fields'], problems);
  if (names !== null && names.trim() !== '*') return { kind: 'named', names: commaList(names) };
  const asked = included || present(query, 'tv_fields') || present(query, 'include_tv');
  return asked ? { kind: 'all' } : null;
}

function withNames(request: TvRequest | null, names: readonly string[]): TvRequest | null {
  if (names.length === 0 || request?.kind === 'all') return request;
  return { kind: 'named', names: [...new Set([...(request?.names ?? []), ...names])] };
}

/** `a,-b,+c,d:desc`: the suffix wins; a raw + arrives as a space (docs/reference/gateway.md#parameters). */
function readSort(text: string | null): SortTerm[] {
  if (text === null) return [];
  const terms: SortTerm[] = [];
  for (const item of text.split(',')) {
    const match = /^([+-]?)(.*?)(?::(asc|desc))?$/is.exec(item.trim());
    const field = match?.[2]?.trim() ?? '';
    if (field === '') continue;
    const suffix = match?.[3]?.toLowerCase();
    const descending = suffix === undefined ? match?.[1] === '-' : suffix === 'desc';
    terms.push({ field, direction: descending ? 'desc' : 'asc' });
  }
  return terms;
}

function readPaging({ query, limits }: QuerySource, problems: Problems): Paging {
  const number = (name: string, minimum: number): number | null => {
    const text = single(query, [name], problems);
    if (text === null) return null;
    // Larger values are cut to the maximum.
    const value = Math.min(Number(text), Number.MAX_SAFE_INTEGER);
    if (/^\d+$/.test(text) && value >= minimum) return value;
    problems.add(name, `must be an integer of at least ${minimum}`, `Invalid ${name}`);
    return null;
  };
  const limit = Math.min(number('limit', 1) ?? defaultLimit, limits.gateway_max_limit);
  const offset = number('offset', 0);
  const page = number('page', 1);
  const cursor = single(query, ['cursor'], problems);
  const hasOffset = isGiven(query, 'offset');
  const hasPage = isGiven(query, 'page');
  if (hasOffset && hasPage) {
    problems.add('page', 'cannot be combined with offset', 'Conflicting pagination parameters');
    problems.add('offset', 'cannot be combined with page');
  }
  if (cursor !== null && (hasOffset || hasPage)) {
    problems.add('cursor', 'cannot be combined with offset or page', 'Conflicting pagination parameters');
  }
  if (cursor !== null) return { kind: 'cursor', limit, cursor };
  const start = page === null ? (offset ?? 0) : (page - 1) * limit;
  return { kind: 'offset', limit, offset: Math.min(start, limits.gateway_max_offset) };
}

/** Empty text counts as absent; a repeated name is a problem. */
export function single(query: QueryPairs, names: readonly string[], problems: Problems): string | null {
  let value: string | undefined;
  let isRepeated = false;
  // Every request reads a dozen names, so absent names must cost nothing.
  for (const [name, given] of query) {
    if (!names.includes(name)) continue;
    if (value === undefined) value = given;
    else isRepeated = true;
  }
  const [first] = names;
  if (isRepeated && first) problems.add(first, 'must be given once', 'Repeated parameter');
  return value === undefined || value === '' ? null : value;
}

function isGiven(query: QueryPairs, name: string): boolean {
  return query.some(([given, value]) => given === name && value !== '');
}

/** With any value, even an empty one. */
export function present(query: QueryPairs, name: string): boolean {
  return query.some(([given]) => given === name);
}

function commaItems(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

function commaList(text: string): string[] {
  return [...new Set(commaItems(text))];
}

export function isYes(text: string | null): boolean {
  return text !== null && booleanOf(text) === true;
}
