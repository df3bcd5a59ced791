/** Compares the words of one definition: every name in a list must be a field, and no two lists may contradict each other. */

import { type PlacedProblem, quote } from '../../values/json-tree.js';
import type { FieldType } from './definition.js';
import {
  type FieldList,
  type FieldWords,
  fieldLists,
  flags,
  type ObjectWords,
  problemAt,
  type RelationWords,
} from './object-words.js';

/** Why a list may not have the field; undefined when it may. */
type ListRule = (field: FieldWords, words: ObjectWords) => string | undefined;

/** Problems of the definition by itself, in the order of its words. Relations are checked where all objects are known. */
export function checkWords(words: ObjectWords): PlacedProblem[] {
  return [
    ...checkPrimaryKey(words),
    ...checkColumnsOnce(words),
    ...checkVisibilityFields(words),
    ...fieldLists.flatMap((list) => checkList(list, words)),
    ...checkRelationNames(words),
    ...checkFlags(words),
  ];
}

function checkPrimaryKey(words: ObjectWords): PlacedProblem[] {
  const { value, place } = words.primaryKey;
  const field = words.fields.find(({ name }) => name.value === value);
  if (!field) return [problemAt(place, notAField(value, words))];
  if (field.type.value !== 'integer' && field.type.value !== 'string') {
    return [problemAt(field.type.place, 'the primary key must be of type integer or string')];
  }
  const out = isIn(words, 'hidden', value) ? 'hidden' : isIn(words, 'protected', value) ? 'protected' : undefined;
  return out === undefined
    ? []
    : [problemAt(place, `the primary key ${value} cannot be ${out}: it addresses a record`)];
}

/** Two fields of one column would set it twice in one statement. Column names have no case in either database. */
function checkColumnsOnce({ fields }: ObjectWords): PlacedProblem[] {
  const first = new Map<string, string>();
  return fields.flatMap(({ name, column }) => {
    const key = column.value.toLowerCase();
    const other = first.get(key);
    if (other === undefined) {
      first.set(key, name.value);
      return [];
    }
    return [problemAt(column.place, `the column ${column.value} already belongs to the field ${other}`)];
  });
}

const visibilityTypes: ReadonlyMap<string, readonly FieldType[]> = new Map([
  ['published', ['boolean', 'integer']],
  ['deleted', ['boolean', 'integer']],
  ['context_key', ['string']],
]);

/**
 * Fields of these names decide who sees a row (docs/reference/gateway.md#definitions), so a column of another meaning
 * must not have them.
 */
function checkVisibilityFields({ fields }: ObjectWords): PlacedProblem[] {
  return fields.flatMap(({ name, type }) => {
    const types = visibilityTypes.get(name.value);
    if (!types || types.includes(type.value)) return [];
    const wanted = types.join(' or ');
    return [
      problemAt(
        type.place,
        `a field named ${name.value} decides which rows are visible and must be of type ${wanted}; give the field another name and name its column`,
      ),
    ];
  });
}

const isWritable = ({ flags: on }: ObjectWords) => on.creatable.value || on.updatable.value;
const noHidden: ListRule = ({ name }, words) => (isIn(words, 'hidden', name.value) ? 'is hidden' : undefined);
const noJson: ListRule = ({ type }) => (type.value === 'json' ? 'is a json field' : undefined);
const onlyText: ListRule = ({ type }) => (type.value === 'string' ? undefined : 'is not a string field');
const canBeWritten: ListRule = ({ name }, words) => {
  if (!isWritable(words)) return undefined;
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

function checkList(list: FieldList, words: ObjectWords): PlacedProblem[] {
  return words.lists[list].flatMap(({ value, place }) => {
    const field = words.fields.find(({ name }) => name.value === value);
    if (!field) return [problemAt(place, notAField(value, words))];
    const why = listRules[list].map((rule) => rule(field, words)).find((text) => text !== undefined);
    return why === undefined ? [] : [problemAt(place, `${value} cannot be ${list}: it ${why}`)];
  });
}

function checkRelationNames({ relations, fields }: ObjectWords): PlacedProblem[] {
  const names = fields.map((field) => field.name.value);
  return relations.flatMap((relation) => checkRelationName(relation, names));
}

/** An included relation replaces a field of its name in the record: only its own key may be replaced. */
export function checkRelationName(relation: RelationWords, fields: readonly string[]): PlacedProblem[] {
  const { name, type, foreignKey } = relation;
  if (!fields.includes(name.value) || (type.value === 'to_one' && foreignKey.value === name.value)) return [];
  const message = `${name.value} is also a field; only a to_one relation may have the name of its own foreignKey`;
  return [problemAt(name.place, message)];
}

function checkFlags({ name, flags: on }: ObjectWords): PlacedProblem[] {
  return flags.some((flag) => on[flag].value)
    ? []
    : [problemAt(name.place, `nothing can be done with the object: set at least one of ${flags.join(', ')} to true`)];
}

function isIn(words: ObjectWords, list: FieldList, name: string): boolean {
  return words.lists[list].some(({ value }) => value === name);
}

function notAField(name: string, { fields }: ObjectWords): string {
  return `${quote(name)} is not a field; fields: ${fields.map((field) => field.name.value).join(', ')}`;
}
