/** Valid list queries made from a definition: every combination of what it lets a caller filter, sort, search and show. */
import fc from 'fast-check';
import type { FieldDefinition, ObjectDefinition } from '../../src/content/objects/definition.js';
import { offered } from '../../src/content/query/authorize.js';
import { operatorNames } from '../../src/content/query/plan-filter.js';

/** Texts and numbers that filters compare with: some that occur in the data, some that are merely odd. */
export interface Vocabulary {
  readonly texts: readonly string[];
  readonly numbers: readonly number[];
}

const oddTexts = [
  ...['', ' ', 'A', 'é', 'E\u0301', 'ß', 'ss', '\u{1f600}', 'İ', '%', '_', '!', "'", '"', '\\', 'a ', '\u200b'],
];
const oddNumbers = [0, -1, 2 ** 31, 2 ** 32, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER];

type Pair = readonly [string, string];

/** With this a site takes every query. */
export const everyColumn = { HCD_GATEWAY_EXTENDED_COLUMNS: '1' } as const;

/** The query text of a list of the object, without the question mark. */
export function listQuery(object: ObjectDefinition, known: Vocabulary): fc.Arbitrary<string> {
  const definition = offered(object, true);
  const chosen = [filters(definition, known), sorting(definition), search(definition, known)] as const;
  const pairs = fc.tuple(...chosen, fieldList(definition), relations(definition), paging);
  return pairs.map((groups) => {
    const flat = groups.flat().map(([name, value]): [string, string] => [name, value]);
    return new URLSearchParams(flat).toString();
  });
}

function filters(definition: ObjectDefinition, known: Vocabulary): fc.Arbitrary<readonly Pair[]> {
  if (definition.filterable.length === 0) return fc.constant([]);
  const one = fc
    .tuple(fc.constantFrom(...definition.filterable), fc.constantFrom(...operatorNames))
    .chain(([name, operator]): fc.Arbitrary<Pair> => {
      const field = definition.fields[name];
      const value = field ? filterValue(field, operator, known) : fc.constant('');
      return value.map((text) => [`filter[${name}][${operator}]`, text]);
    })
    // LIKE is for text fields; not_in without values is refused.
    .filter(([name, value]) => !(name.endsWith('[not_in]') && value === ''))
    .filter(
      ([name]) => !name.endsWith('[like]') || definition.fields[name.slice(7, name.indexOf(']'))]?.type === 'string',
    );
  // `ne` and `neq` are the same condition, which may be given once.
  return fc.uniqueArray(one, { maxLength: 3, selector: ([name]) => name.replace('[ne]', '[neq]') });
}

function filterValue(field: FieldDefinition, operator: string, known: Vocabulary): fc.Arbitrary<string> {
  const one = scalar(field, known);
  if (operator === 'in' || operator === 'not_in') {
    const member = one.filter((text) => !text.includes(','));
    return fc.array(member, { maxLength: 5 }).map((items) => items.join(','));
  }
  if (operator === 'like' && field.type === 'string') {
    return one.chain((text) => fc.constantFrom(`%${text}%`, `${text}%`, `_${text.slice(1)}%`, text));
  }
  return one;
}

function scalar(field: FieldDefinition, { texts, numbers }: Vocabulary): fc.Arbitrary<string> {
  switch (field.type) {
    case 'boolean':
      return fc.constantFrom('0', '1', 'true', 'OFF');
    case 'string':
      return fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...texts) }, fc.constantFrom(...oddTexts));
    case 'datetime':
      return fc.constantFrom('0', '1700000000', '2025-01-01T00:00:00Z', '-5');
    default:
      return fc
        .oneof({ weight: 3, arbitrary: fc.constantFrom(...numbers) }, fc.constantFrom(...oddNumbers))
        .map(String);
  }
}

function sorting({ sortable }: ObjectDefinition): fc.Arbitrary<readonly Pair[]> {
  if (sortable.length === 0) return fc.constant([]);
  const term = fc.tuple(fc.constantFrom('', '-'), fc.constantFrom(...sortable)).map((parts) => parts.join(''));
  return fc.array(term, { maxLength: 3 }).map((terms) => (terms.length === 0 ? [] : [['sort', terms.join(',')]]));
}

function search({ searchable }: ObjectDefinition, { texts }: Vocabulary): fc.Arbitrary<readonly Pair[]> {
  if (searchable.length === 0) return fc.constant([]);
  const piece = fc
    .tuple(fc.constantFrom(...texts, ...oddTexts), fc.nat(8), fc.integer({ min: 1, max: 6 }))
    .map(([text, start, length]) => [...text].slice(start, start + length).join(''));
  return fc.option(piece, { freq: 3, nil: null }).map((text) => (text === null ? [] : [['q', text]]));
}

function fieldList({ fields, hidden, protected: guarded }: ObjectDefinition): fc.Arbitrary<readonly Pair[]> {
  const names = Object.keys(fields).filter((name) => !hidden.includes(name) && !guarded.includes(name));
  return fc
    .option(fc.subarray(names, { minLength: 1 }), { nil: null })
    .map((chosen) => (chosen === null ? [] : [['fields', chosen.join(',')]]));
}

function relations(definition: ObjectDefinition): fc.Arbitrary<readonly Pair[]> {
  const names = definition.relations.map(({ name }) => name);
  if (definition.name === 'resources') names.push('tvs', 'parent.children', 'children.tvs', 'children.parent');
  return fc
    .subarray(names, { maxLength: Math.min(3, names.length) })
    .map((chosen) => (chosen.length === 0 ? [] : [['include', chosen.join(',')]]));
}

const number = (name: string, min: number, max: number) =>
  fc.integer({ min, max }).map((value): Pair => [name, String(value)]);

const paging: fc.Arbitrary<readonly Pair[]> = fc.oneof(
  fc.constant([] as const),
  fc.tuple(number('limit', 1, 100), number('offset', 0, 400)),
  fc.tuple(number('limit', 1, 30), number('page', 1, 9)),
);
