/** Checks one definition: every name in a list must be a field, and no two lists may contradict each other. */

import type { PlacedProblem, PlaceOf } from '../../values/json-tree.js';
import { quoted } from '../../values/reading.js';
import { type FieldList, type FieldType, fieldLists, flags } from './definition.js';
import type { FieldSpec, ObjectSpec, PlacedRelation } from './object-spec.js';

/** Why a list may not have the field; undefined when it may. */
type ListRule = (name: string, field: FieldSpec, spec: ObjectSpec) => string | undefined;

export function checkSpec(spec: ObjectSpec): PlacedProblem[] {
  return [
    ...checkPrimaryKey(spec),
    ...checkColumnsOnce(spec),
    ...checkVisibilityFields(spec),
    ...fieldLists.flatMap((list) => [...checkList(list, spec)]),
    ...checkRelationNames(spec),
    ...checkFlags(spec),
  ];
}

function* checkPrimaryKey(spec: ObjectSpec): Iterable<PlacedProblem> {
  const { primaryKey, placeOf } = spec;
  const type = spec.fields[primaryKey]?.type;
  if (type === undefined) yield { ...placeOf('primaryKey'), message: notAField(primaryKey, spec) };
  else if (type !== 'integer' && type !== 'string') {
    yield { ...placeOf(`fields.${primaryKey}.type`), message: 'the primary key must be of type integer or string' };
  } else {
    const out = (['hidden', 'protected'] as const).find((list) => spec[list].includes(primaryKey));
    const message = `the primary key ${primaryKey} cannot be ${out}: it addresses a record`;
    if (out) yield { ...placeOf('primaryKey'), message };
  }
}

/** Two fields of one column would set it twice. Neither database distinguishes case in column names. */
function* checkColumnsOnce({ fields, placeOf }: ObjectSpec): Iterable<PlacedProblem> {
  const first = new Map<string, string>();
  for (const [name, { column = name }] of Object.entries(fields)) {
    const key = column.toLowerCase();
    const other = first.get(key);
    if (other === undefined) first.set(key, name);
    else {
      const message = `the column ${column} already belongs to the field ${other}`;
      yield { ...placeOf(`fields.${name}.column`), message };
    }
  }
}

const visibilityTypes: ReadonlyMap<string, readonly FieldType[]> = new Map([
  ['published', ['boolean', 'integer']],
  ['deleted', ['boolean', 'integer']],
  ['context_key', ['string']],
]);

/** Fields of these names decide who sees a row (docs/reference/gateway.md#definitions). */
function* checkVisibilityFields({ fields, placeOf }: ObjectSpec): Iterable<PlacedProblem> {
  for (const [name, { type }] of Object.entries(fields)) {
    const types = visibilityTypes.get(name);
    if (!types || types.includes(type)) continue;
    const must = `decides which rows are visible and must be of type ${types.join(' or ')}`;
    const message = `a field named ${name} ${must}; give the field another name and name its column`;
    yield { ...placeOf(`fields.${name}.type`), message };
  }
}

const noHidden: ListRule = (name, _field, { hidden }) => (hidden.includes(name) ? 'is hidden' : undefined);
const noJson: ListRule = (_name, { type }) => (type === 'json' ? 'is a json field' : undefined);
const onlyText: ListRule = (_name, { type }) => (type === 'string' ? undefined : 'is not a string field');
const canBeWritten: ListRule = (name, _field, { creatable, updatable, immutable, hidden }) => {
  if (!creatable && !updatable) return undefined;
  if (immutable.includes(name)) return 'is immutable, so that no write could give it';
  return hidden.includes(name) ? 'is hidden, so that no write could give it' : undefined;
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

function* checkList(list: FieldList, spec: ObjectSpec): Iterable<PlacedProblem> {
  for (const [at, name] of spec[list].entries()) {
    const field = spec.fields[name];
    const why = field && listRules[list].map((rule) => rule(name, field, spec)).find((text) => text !== undefined);
    const place = spec.placeOf(`${list}[${at}]`);
    if (!field) yield { ...place, message: notAField(name, spec) };
    else if (why !== undefined) yield { ...place, message: `${name} cannot be ${list}: it ${why}` };
  }
}

function* checkRelationNames(spec: ObjectSpec): Iterable<PlacedProblem> {
  const names = spec.relations.map(({ name }) => name);
  for (const [at, relation] of spec.relations.entries()) {
    const placeOf = below(spec.placeOf, `relations[${at}]`);
    if (names.indexOf(relation.name) < at) yield { ...placeOf('name'), message: 'is listed twice' };
    yield* checkRelationName({ ...relation, placeOf }, Object.keys(spec.fields));
  }
}

export function below(placeOf: PlaceOf, path: string): PlaceOf {
  return (inner, part) => placeOf(inner === '' ? path : `${path}.${inner}`, part);
}

/** An included relation replaces a field of its name in the record: only its own key may be replaced. */
export function* checkRelationName(
  { name, type, foreignKey, placeOf }: PlacedRelation,
  fields: readonly string[],
): Iterable<PlacedProblem> {
  if (!fields.includes(name) || (type === 'to_one' && foreignKey === name)) return;
  const message = `${name} is also a field; only a to_one relation may have the name of its own foreignKey`;
  yield { ...placeOf('name'), message };
}

function* checkFlags(spec: ObjectSpec): Iterable<PlacedProblem> {
  if (flags.some((flag) => spec[flag])) return;
  const message = `nothing can be done with the object: set at least one of ${flags.join(', ')} to true`;
  yield { ...spec.placeOf('name'), message };
}

function notAField(name: string, { fields }: ObjectSpec): string {
  return `${quoted(name)} is not a field; fields: ${Object.keys(fields).join(', ')}`;
}
