/** Makes definitions of the words of files and plugins: fits each to its table, then joins them by relations. */

import { type PlacedProblem, quote } from '../../values/json-tree.js';
import { checkRelationName } from './check-words.js';
import { type AddedRelation, coreObjects } from './core-objects.js';
import type { ObjectDefinition, RelationDefinition } from './definition.js';
import { fitObject, type RealTables } from './object-columns.js';
import { type Checked, type ObjectWords, type Placed, problemAt, type RelationWords } from './object-words.js';

/** A relation for an object that is defined elsewhere, core objects included. */
export interface ExtraRelation {
  readonly object: Placed<string>;
  readonly words: RelationWords;
}

export interface GivenObjects {
  readonly objects: readonly ObjectWords[];
  readonly relations: readonly ExtraRelation[];
}

/** What buildRegistry takes. */
interface LoadedObjects {
  readonly objects: readonly ObjectDefinition[];
  /** Relations added to core objects. */
  readonly relations: readonly AddedRelation[];
}

/** Definitions in the order given; null with at least one problem. */
export function assembleObjects(given: GivenObjects, database: RealTables): Checked<LoadedObjects> {
  const known = new Map<string, { definition: ObjectDefinition; unique: ReadonlySet<string> }>(
    coreObjects.map((definition) => [definition.name, { definition, unique: new Set([definition.primaryKey]) }]),
  );
  const problems: PlacedProblem[] = repeatedNames(given.objects);
  for (const words of given.objects) {
    const fitted = fitObject(words, database);
    problems.push(...fitted.problems);
    if (fitted.value) known.set(words.name.value, fitted.value);
  }
  // A relation to an object that is itself wrong would only repeat that problem.
  if (problems.length > 0) return { value: null, problems };
  const related = relateAll(given, known);
  return { value: related.problems.length > 0 ? null : related.value, problems: related.problems };
}

function repeatedNames(objects: readonly ObjectWords[]): PlacedProblem[] {
  const first = new Map<string, ObjectWords>();
  return objects.flatMap((words) => {
    const { value, place } = words.name;
    const other = first.get(value);
    if (other) return [problemAt(place, `${value} is already defined in ${other.name.place.source}`)];
    first.set(value, words);
    return [];
  });
}

function relateAll(given: GivenObjects, known: KnownObjects): { value: LoadedObjects; problems: PlacedProblem[] } {
  const problems: PlacedProblem[] = [];
  const relations = new Map<string, RelationDefinition[]>();
  const add = (object: ObjectDefinition, words: RelationWords) => {
    const list = relations.get(object.name) ?? [];
    relations.set(object.name, list);
    const related = relate(words, { object, known });
    problems.push(...related.problems);
    if (!related.value) return;
    if ([...object.relations, ...list].some(({ name }) => name === words.name.value)) {
      problems.push(problemAt(words.name.place, `${object.name} already has a relation ${words.name.value}`));
    } else list.push(related.value);
  };
  const all = given.objects.flatMap((words) =>
    words.relations.map((relation) => ({ object: words.name, words: relation })),
  );
  for (const { object, words } of [...all, ...given.relations]) {
    const { definition } = known.get(object.value) ?? {};
    if (definition) add(definition, words);
    else problems.push(problemAt(object.place, `${quote(object.value)} is not an object, so it can have no relation`));
  }
  const objects = given.objects.flatMap(({ name }) => {
    const definition = known.get(name.value)?.definition;
    return definition ? [Object.freeze({ ...definition, relations: relations.get(name.value) ?? [] })] : [];
  });
  const added = coreObjects.flatMap(({ name }) =>
    (relations.get(name) ?? []).map((relation) => ({ object: name, relation })),
  );
  return { value: { objects, relations: added }, problems };
}

/** Objects by name, with the fields that alone identify a row of each. */
type KnownObjects = ReadonlyMap<
  string,
  { readonly definition: ObjectDefinition; readonly unique: ReadonlySet<string> }
>;

/** Fields of the target that an answer shows besides its primary key when the relation names no fields. */
export const telling: readonly string[] = [
  'pagetitle',
  'templatename',
  'category',
  'name',
  'title',
  'label',
  'caption',
  'alias',
  'slug',
  'uri',
];

/** Order of to_many rows: `menuindex` where the target has it, then the primary key. */
const orderFields: readonly string[] = ['menuindex', 'rank', 'position'];

/** The relation of `object`; null with at least one problem. */
function relate(
  words: RelationWords,
  { object, known }: { readonly object: ObjectDefinition; readonly known: KnownObjects },
): Checked<RelationDefinition> {
  const target = known.get(words.target.value);
  const named = checkRelationName(words, Object.keys(object.fields));
  if (!target) {
    const names = [...known.keys()].join(', ');
    const unknown = problemAt(words.target.place, `${quote(words.target.value)} is not an object; objects: ${names}`);
    return { value: null, problems: [...named, unknown] };
  }
  const toOne = words.type.value === 'to_one';
  const holder = toOne ? object : target.definition;
  const referenced = toOne ? target.definition : object;
  const localKey = words.localKey ?? { value: referenced.primaryKey, place: words.foreignKey.place };
  const problems = [
    ...named,
    ...(target.definition.readable ? [] : [problemAt(words.target.place, `${words.target.value} is not readable`)]),
    ...checkKeys({ words, holder, referenced, localKey }),
    ...(toOne &&
    words.localKey &&
    !target.unique.has(localKey.value) &&
    Object.hasOwn(referenced.fields, localKey.value)
      ? [
          problemAt(
            words.localKey.place,
            `${localKey.value} of ${referenced.name} is not unique, so that it does not name one record`,
          ),
        ]
      : []),
    ...(words.fields ?? []).flatMap((field) => checkField(field, target.definition)),
  ];
  if (problems.length > 0) return { value: null, problems };
  return { value: complete(words, { target: target.definition, localKey: localKey.value }), problems };
}

function complete(
  words: RelationWords,
  { target, localKey }: { readonly target: ObjectDefinition; readonly localKey: string },
): RelationDefinition {
  const type = words.type.value;
  const order = type === 'to_one' ? undefined : orderFields.find((name) => isShown(name, target));
  return Object.freeze({
    name: words.name.value,
    target: target.name,
    type,
    foreignKey: words.foreignKey.value,
    localKey,
    fields: words.fields?.map(({ value }) => value) ?? defaultRelationFields(target),
    order: order === undefined ? [] : [order],
  });
}

/** The primary key and the text fields by which a person recognizes the record. */
function defaultRelationFields(target: ObjectDefinition): string[] {
  const isText = (name: string) => Object.hasOwn(target.fields, name) && target.fields[name]?.type === 'string';
  const named = telling.filter((name) => isText(name) && isShown(name, target) && name !== target.primaryKey);
  return [target.primaryKey, ...named];
}

function isShown(name: string, { fields, hidden, protected: guarded }: ObjectDefinition): boolean {
  return Object.hasOwn(fields, name) && !hidden.includes(name) && !guarded.includes(name);
}

function checkKeys(asked: {
  readonly words: RelationWords;
  readonly holder: ObjectDefinition;
  readonly referenced: ObjectDefinition;
  readonly localKey: Placed<string>;
}): PlacedProblem[] {
  const { words, holder, referenced, localKey } = asked;
  const problems = [...missingField(words.foreignKey, holder), ...missingField(localKey, referenced)];
  if (problems.length > 0) return problems;
  const from = holder.fields[words.foreignKey.value]?.type;
  const to = referenced.fields[localKey.value]?.type;
  if (from === to && (from === 'integer' || from === 'string')) return [];
  return [
    problemAt(
      words.foreignKey.place,
      `${holder.name}.${words.foreignKey.value} (${from}) and ${referenced.name}.${localKey.value} (${to}) must both be integer or both string`,
    ),
  ];
}

function missingField({ value, place }: Placed<string>, { name, fields }: ObjectDefinition): PlacedProblem[] {
  if (Object.hasOwn(fields, value)) return [];
  return [problemAt(place, `${name} has no field ${quote(value)}; fields: ${Object.keys(fields).join(', ')}`)];
}

function checkField(field: Placed<string>, target: ObjectDefinition): PlacedProblem[] {
  const missing = missingField(field, target);
  if (missing.length > 0) return missing;
  return target.hidden.includes(field.value)
    ? [problemAt(field.place, `${field.value} of ${target.name} is hidden`)]
    : [];
}
