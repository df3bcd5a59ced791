/** Filters in the query (docs/reference/gateway.md#parameters): their names, operators and values as text. */
import type { FilterTerm, ValueForm } from '../../content/query/ast.js';
import { findOperator, operatorNames } from '../../content/query/plan-filter.js';
import type { Problems } from '../../errors/app-error.js';

export type QueryPairs = readonly (readonly [string, string])[];

export function readFilters(query: QueryPairs, problems: Problems): FilterTerm[] {
  const terms: FilterTerm[] = [];
  const seen = new Map<string, string[]>();
  for (const [name, value] of query) {
    if (!name.startsWith('filter')) continue;
    const [, field, operator, item] = filterName.exec(name) ?? [];
    if (field === undefined) {
      addProblem(name, problems);
      continue;
    }
    const row = findOperator(operator ?? (item === undefined ? 'eq' : 'in'));
    if (!row) {
      problems.add(field, `operator must be one of: ${operatorNames.join(', ')}`, 'Invalid filter operator');
      continue;
    }
    const key = JSON.stringify([field, row.operator]);
    const before = seen.get(key);
    if (before !== undefined && row.takes !== 'list') {
      problems.add(field, 'the same filter is given twice', 'Repeated parameter');
      continue;
    }
    const values = before ?? [];
    values.push(...(item !== undefined && row.takes === 'list' ? [value] : valuesOf(value, row.takes)));
    seen.set(key, values);
    if (before === undefined) terms.push({ field, operator: row.operator, values });
  }
  return terms;
}

/** `filter[field]`, `filter[field][]`, `filter[field][operator]` and `filter[field][operator][]`. */
const filterName = /^filters?\[([^[\]]+)\](?:\[([^[\]]+)\])?(\[\])?$/;

/** Names such as `filter[a]x` or `filter[a` are misspelled filters; `filterable=` is merely an unknown name. */
function addProblem(name: string, problems: Problems): void {
  const [whole, field] = /^filters?(?:\[([^[\]]*)\](?:\[[^[\]]*\])*)?$/.exec(name) ?? [];
  if (whole !== undefined) {
    problems.add(field || 'filter', 'must have the form filter[field]=value or filter[field][operator]=value');
  } else if (/^filters?\[/.test(name)) {
    problems.add('filter', `${name} is not understood; use filter[field][operator]=value`);
  }
}

function valuesOf(value: string, takes: 'one' | 'list' | 'none'): string[] {
  if (takes === 'none') return [];
  if (takes === 'one') return [value];
  return value === '' ? [] : value.split(',').map((item) => item.trim());
}

interface FormParameter {
  readonly accepted: readonly string[];
  readonly isList?: boolean;
  readonly description: string;
}

export const formParameters = Object.freeze({
  tv_format: {
    accepted: ['typed'],
    description:
      'typed: template variables as numbers, flags, lists, times and JSON by their type; /schema describes them. A value that is not of its type is null, and meta.untyped names the variable',
  },
  urls: {
    accepted: ['absolute', 'site'],
    description:
      'absolute: image and file variables, and src, href and srcset in content, as addresses with the host of the site; site: as paths from its root',
  },
  links: {
    accepted: ['resolve'],
    description:
      'resolve: [[~id]] in content and texts becomes the address of the resource, empty where the caller may not see it, which meta.unresolved lists; [[++name]] the value of a setting in gateway_link_settings. Weblinks and symlinks get link, the address of their target or null',
  },
  tags: {
    accepted: ['resolve', 'strip'],
    isList: true,
    description:
      'resolve: [[*field]], [[*tv]] and [[++name]] in content and texts become their values, [[$chunk]] a chunk of gateway_resolve_chunks; strip: without the other tags of the CMS',
  },
  images: {
    accepted: ['full'],
    description:
      'full: image variables as {url, width, height, type, placeholder}; all but url and type are null for pictures that are not on this server, and without the package sharp',
  },
}) satisfies Readonly<Record<string, FormParameter>>;

type FormName = keyof typeof formParameters;

export function readValueForm(textOf: (name: string) => string | null, problems: Problems): ValueForm | null {
  const read = (name: FormName): string | null => {
    const { accepted, isList = false }: FormParameter = formParameters[name];
    const value = textOf(name);
    const items = isList ? value?.split(',') : [value ?? ''];
    if (value === null || items?.every((item) => accepted.includes(item.trim()))) return value;
    problems.add(name, `must be one of: ${accepted.join(', ')}`, `Invalid ${name}`);
    return null;
  };
  const typed = read('tv_format') !== null;
  const given = read('urls');
  const urls = given === 'absolute' || given === 'site' ? given : null;
  const resolvesLinks = read('links') !== null;
  const tags = read('tags') ?? '';
  const [resolvesTags, stripsTags] = [tags.includes('resolve'), tags.includes('strip')];
  const describesImages = read('images') !== null;
  const changes = typed || urls !== null || resolvesLinks || resolvesTags || stripsTags || describesImages;
  return changes ? { typed, urls, resolvesLinks, resolvesTags, stripsTags, describesImages } : null;
}
