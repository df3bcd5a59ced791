/** Reads query parameters strictly (docs/pages.md#refusals). */
import { badParameter } from '../../errors/app-error.js';
import { type QueryPair, single } from '../../http/interface/query-pairs.js';
import { type PagePart, pageParts } from '../delivery/page-answer.js';

type Pairs = readonly QueryPair[];

const contextForm = /^[\p{L}\p{N}_.-]{1,100}$/u;
const typeForm = /^_?[a-z][a-z0-9_-]{0,99}$/;
const defaultParts: ReadonlySet<PagePart> = new Set(['document', 'values']);
const longestSearch = 200;

export function readContext(pairs: Pairs, name: string): string | undefined {
  const value = single(pairs, name);
  if (value === undefined || contextForm.test(value)) return value;
  throw badParameter(name, 'must be a context key of letters, digits, hyphens, dots and underscores');
}

export function readNumber(
  pairs: Pairs,
  name: string,
  { min, max, absent }: { readonly min: number; readonly max: number; readonly absent: number },
): number {
  const value = single(pairs, name);
  if (value === undefined) return absent;
  const number = Number(value);
  if (/^(0|[1-9]\d{0,15})$/.test(value) && number >= min && number <= max) return number;
  throw badParameter(name, `must be a whole number from ${min} to ${max}`);
}

export function readSearch(pairs: Pairs): string | null {
  const value = single(pairs, 'q')?.trim() ?? '';
  if (value.length > longestSearch) throw badParameter('q', `must have at most ${longestSearch} characters`);
  return value === '' ? null : value;
}

export function readInclude(pairs: Pairs): ReadonlySet<PagePart> {
  const value = single(pairs, 'include');
  if (value === undefined) return defaultParts;
  return new Set(
    words(value).map((word) => {
      const part = pageParts.find((one) => one === word);
      if (part === undefined) throw badParameter('include', `must be a comma list of: ${pageParts.join(', ')}`);
      return part;
    }),
  );
}

export function readSectionTypes(pairs: Pairs): ReadonlySet<string> | null {
  const value = single(pairs, 'section_types');
  if (value === undefined) return null;
  const keys = words(value);
  if (keys.every((key) => typeForm.test(key))) return new Set(keys);
  throw badParameter('section_types', 'must be a comma list of keys of section types');
}

export function readState(pairs: Pairs): 'published' | 'draft' | undefined {
  const value = single(pairs, 'state');
  if (value === undefined || value === 'published' || value === 'draft') return value;
  throw badParameter('state', 'must be published or draft');
}

export function visitQuery(pairs: Pairs): ReadonlyMap<string, string> {
  // A Map made of pairs keeps the last one of a name.
  return new Map(pairs.toReversed());
}

function words(list: string): readonly string[] {
  return list.split(',').map((word) => word.trim());
}
