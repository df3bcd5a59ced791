/**
 * Query pairs of one request, read strictly (docs/reference/http.md#queries): single-valued names given twice are
 * refused, bracket forms are recognised only as `filter[field]`, `filter[field][op]` and their `[]` list forms. No
 * value is interpreted here.
 */
import type { Problems } from '../../errors/app-error.js';

export type QueryPairs = readonly (readonly [string, string])[];

/** One `filter[...]` pair. */
export interface BracketFilter {
  readonly field: string;
  /** null = no operator given. */
  readonly operator: string | null;
  /** The name ended in `[]`: the value is one item of a list. */
  readonly item: boolean;
  readonly value: string;
}

const filterName = /^filters?((?:\[[^[\]]*\])*)$/;

/** The value of a name that may be given once; empty text counts as absent. Adds a problem when it is repeated. */
export function single(query: QueryPairs, names: readonly string[], problems: Problems): string | null {
  const values = query.filter(([name]) => names.includes(name));
  const [first] = names;
  if (values.length > 1 && first) problems.add(first, 'must be given once', 'Repeated parameter');
  const value = values[0]?.[1];
  return value === undefined || value === '' ? null : value;
}

/** True when the name occurs, with whatever value. */
export function present(query: QueryPairs, name: string): boolean {
  return query.some(([given]) => given === name);
}

/** All filter pairs; misshapen ones become problems. */
export function bracketFilters(query: QueryPairs, problems: Problems): BracketFilter[] {
  const filters: BracketFilter[] = [];
  for (const [name, value] of query) {
    if (!name.startsWith('filter')) continue;
    const match = filterName.exec(name);
    if (!match) {
      // Names such as filter[a]x or filter[a are misspelled filters; filterable= is merely an unknown name.
      if (/^filters?\[/.test(name))
        problems.add('filter', `${name} is not understood; use filter[field][operator]=value`);
      continue;
    }
    const parts = [...(match[1] ?? '').matchAll(/\[([^[\]]*)\]/g)].map((part) => part[1] ?? '');
    const filter = readParts(parts, value);
    if (filter) filters.push(filter);
    else problems.add(parts[0] || 'filter', 'must have the form filter[field]=value or filter[field][operator]=value');
  }
  return filters;
}

function readParts(parts: readonly string[], value: string): BracketFilter | undefined {
  const [field, second, third] = parts;
  if (field === undefined || field === '' || parts.length > 3) return undefined;
  if (second === undefined) return { field, operator: null, item: false, value };
  if (second === '') return parts.length === 2 ? { field, operator: null, item: true, value } : undefined;
  if (third === undefined) return { field, operator: second, item: false, value };
  return third === '' ? { field, operator: second, item: true, value } : undefined;
}

/** Comma list: trimmed, empty items dropped, each name once. */
export function commaList(text: string): string[] {
  return [
    ...new Set(
      text
        .split(',')
        .map((item) => item.trim())
        .filter((item) => item !== ''),
    ),
  ];
}

const yes = new Set(['1', 'true', 'on', 'yes']);

/** Boolean parameters: true for 1, true, on, yes in any case; everything else is false. */
export function isYes(text: string | null): boolean {
  return text !== null && yes.has(text.trim().toLowerCase());
}
