/** Checks one definition: every name in a list must be a field, and no two lists may contradict each other. */

import { type PlacedProblem, quote } from '../../values/json-tree.js';
import type { FieldList, FieldType } from './definition.js';
import { fieldLists } from './definition.js';
import { type FieldWords, flags, type ObjectWords, problemAt, type RelationWords } from './object-words.js';

/** Why a list may not have the field; undefined when it may. */
type ListRule = (field: FieldWords, words: ObjectWords) => string | undefined;

export function checkWords(words: ObjectWords): PlacedProblem[] {
  const names = words.fields.map((field) => field.name.value);
  return [
    ...checkPrimaryKey(words),
    ...checkColumnsOnce(words),
    ...checkVisibilityFields(words),
    ...fieldLists.flatMap((list) => [...checkList(list, words)]),
    ...words.relations.flatMap((relation) => [...checkRelationName(relation, names)]),
    ...checkFlags(words),
  ];
}

function* checkPrimaryKey(words: ObjectWords): Iterable<PlacedProblem> {
  const { value, place } = words.primaryKey;
  const field = fieldNamed(value, words);
  if (!field) yield problemAt(place, notAField(value, words));
  else if (field.type.value !== 'integer' && field.type.value !== 'string') {
    yield problemAt(field.type.place, 'the primary key must be of type integer or string');
  } else {
    const out = (['hidden', 'protected'] as const).find((list) => isIn(words, list, value));
    if (out) yield problemAt(place, `the primary key ${value} cannot be ${out}: it addresses a record`);
  }
}

/** Two fields of one column would set it twice. Neither database distinguishes case in column names. */
function* checkColumnsOnce({ fields }: ObjectWords): Iterable<PlacedProblem> {
  const first = new Map<string, string>();
  for (const { name, column } of fields) {
    const key = column.value.toLowerCase();
    const other = first.get(key);
    if (other === undefined) first.set(key, name.value);
    else yield problemAt(column.place, `the column ${column.value} already belongs to the field ${other}`);
  }
}

const visibilityTypes: ReadonlyMap<string, readonly FieldType[]> = new Map([
  ['published', ['boolean', 'integer']],
  ['deleted', ['boolean', 'integer']],
  ['context_key', ['string']],
]);

/** Fields of these names decide who sees a row (docs/reference/gateway.md#definitions). */
function* checkVisibilityFields({ fields }: ObjectWords): Iterable<PlacedProblem> {
  for (const { name, type } of fields) {
    const types = visibilityTypes.get(name.value);
    if (!types || types.includes(type.value)) continue;
    const must = `decides which rows are visible and must be of type ${types.join(' or ')}`;
    yield problemAt(type.place, `a field named ${name.value} ${must}; give the field another name and name its column`);
  }
}

const noHidden: ListRule = ({ name }, words) => (isIn(words, 'hidden', name.value) ? 'is hidden' : undefined);
const noJson: ListRule = ({ type }) => (type.value === 'json' ? 'is a json field' : undefined);
const onlyText: ListRule = ({ type }) => (type.value === 'string' ? undefined : 'is not a string field');
const canBeWritten: ListRule = ({ name }, words) => {
  if (!words.flags.creatable.value && !words.flags.updatable.value) return undefined;
  if (isIn(words, 'immutable', name.value)) return 'is immutable, so that no write could give it';
  return isIn(words, 'hidden', name.value) ? 'is hidden, so that no write could give it' : undefined;
};

const listRules: Readonly<Record<FieldList, readonly ListRule[]>> = {
  filterable: [noHidden, noJson],
  sortable: [noHidden, noJson],
  searchable: [noHidden, onlyText],
  required: [canBeWritten],
  protected: [noHidden],
  immutable: [],
  hidden: [],
};

function* checkList(list: FieldList, words: ObjectWords): Iterable<PlacedProblem> {
  for (const { value, place } of words.lists[list]) {
    const field = fieldNamed(value, words);
    const why = field && listRules[list].map((rule) => rule(field, words)).find((text) => text !== undefined);
    if (!field) yield problemAt(place, notAField(value, words));
    else if (why !== undefined) yield problemAt(place, `${value} cannot be ${list}: it ${why}`);
  }
}

/** An included relation replaces a field of its name in the record: only its own key may be replaced. */
export function* checkRelationName(
  { name, type, foreignKey }: RelationWords,
  fields: readonly string[],
): Iterable<PlacedProblem> {
  if (!fields.includes(name.value) || (type.value === 'to_one' && foreignKey.value === name.value)) return;
  const message = `${name.value} is also a field; only a to_one relation may have the name of its own foreignKey`;
  yield problemAt(name.place, message);
}

function* checkFlags({ name, flags: on }: ObjectWords): Iterable<PlacedProblem> {
  if (flags.some((flag) => on[flag].value)) return;
  const message = `nothing can be done with the object: set at least one of ${flags.join(', ')} to true`;
  yield problemAt(name.place, message);
}

function fieldNamed(wanted: string, { fields }: ObjectWords): FieldWords | undefined {
  return fields.find(({ name }) => name.value === wanted);
}

function isIn(words: ObjectWords, list: FieldList, name: string): boolean {
  return words.lists[list].some(({ value }) => value === name);
}

function notAField(name: string, { fields }: ObjectWords): string {
  return `${quote(name)} is not a field; fields: ${fields.map((field) => field.name.value).join(', ')}`;
}
