/** Makes definitions from the words of files and plugins: matches each with its table, then joins them by relations. */

import { type PlacedProblem, quote } from '../../values/json-tree.js';
import { checkRelationName } from './check-words.js';
import { type AddedRelation, coreObjects } from './core-objects.js';
import type { ObjectDefinition, RelationDefinition } from './definition.js';
import { fitObject, type RealTables } from './object-columns.js';
import { type Checked, type ObjectWords, type Placed, problemAt, type RelationWords } from './object-words.js';

export interface GivenObjects {
  readonly objects: readonly ObjectWords[];
  readonly relations: readonly { readonly object: Placed<string>; readonly words: RelationWords }[];
}

interface LoadedObjects {
  readonly objects: readonly ObjectDefinition[];
  readonly relations: readonly AddedRelation[];
}

/** Null with at least one problem. */
export function assembleObjects(given: GivenObjects, database: RealTables): Checked<LoadedObjects> {
  const known = new Map<string, KnownObject>(
    coreObjects.map((definition) => [definition.name, { definition, unique: new Set([definition.primaryKey]) }]),
  );
  const problems: PlacedProblem[] = [...repeatedNames(given.objects)];
  for (const words of given.objects) {
    const fitted = fitObject(words, database);
    problems.push(...fitted.problems);
    if (fitted.value) known.set(words.name.value, fitted.value);
  }
  // A relation to an object that is itself wrong would only repeat that problem.
  if (problems.length > 0) return { value: null, problems };
  const value = relateAll(given, known, problems);
  return { value: problems.length > 0 ? null : value, problems };
}

interface KnownObject {
  readonly definition: ObjectDefinition;
  readonly unique: ReadonlySet<string>;
}
type KnownObjects = ReadonlyMap<string, KnownObject>;

function* repeatedNames(objects: readonly ObjectWords[]): Iterable<PlacedProblem> {
  const first = new Map<string, string>();
  for (const { name } of objects) {
    const source = first.get(name.value);
    if (source === undefined) first.set(name.value, name.place.source);
    else yield problemAt(name.place, `${name.value} is already defined in ${source}`);
  }
}

function relateAll(given: GivenObjects, known: KnownObjects, problems: PlacedProblem[]): LoadedObjects {
  const relations = new Map<string, RelationDefinition[]>();
  const own = given.objects.flatMap((words) => words.relations.map((one) => ({ object: words.name, words: one })));
  for (const { object: name, words } of [...own, ...given.relations]) {
    const object = known.get(name.value)?.definition;
    if (!object) {
      problems.push(problemAt(name.place, `${quote(name.value)} is not an object, so it can have no relation`));
      continue;
    }
    const list = relations.get(object.name) ?? [];
    relations.set(object.name, list);
    const related = relate(words, { object, known });
    problems.push(...related.problems);
    if (!related.value) continue;
    if ([...object.relations, ...list].some((one) => one.name === words.name.value)) {
      problems.push(problemAt(words.name.place, `${object.name} already has a relation ${words.name.value}`));
    } else list.push(related.value);
  }
  const objects = given.objects.flatMap(({ name }) => {
    const definition = known.get(name.value)?.definition;
    return definition ? [Object.freeze({ ...definition, relations: relations.get(name.value) ?? [] })] : [];
  });
  const added = coreObjects.flatMap(({ name }) =>
    (relations.get(name) ?? []).map((relation) => ({ object: name, relation })),
  );
  return { objects, relations: added };
}

/** Shown besides the primary key when a relation names no fields. */
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

/** Order of to_many rows: `menuindex` if the target has it, then the primary key. */
const orderFields: readonly string[] = ['menuindex', 'rank', 'position'];

function relate(
  words: RelationWords,
  { object, known }: { readonly object: ObjectDefinition; readonly known: KnownObjects },
): Checked<RelationDefinition> {
  const found = known.get(words.target.value);
  const problems = [...checkRelationName(words, Object.keys(object.fields))];
  const refuse = ({ place }: Placed<unknown>, message: string) => problems.push(problemAt(place, message));
  if (!found) {
    const names = [...known.keys()].join(', ');
    refuse(words.target, `${quote(words.target.value)} is not an object; objects: ${names}`);
    return { value: null, problems };
  }
  const { definition: target, unique } = found;
  const toOne = words.type.value === 'to_one';
  const [holder, referenced] = toOne ? [object, target] : [target, object];
  const localKey = words.localKey ?? { value: referenced.primaryKey, place: words.foreignKey.place };
  if (!target.readable) refuse(words.target, `${words.target.value} is not readable`);
  problems.push(...checkKeys({ foreignKey: words.foreignKey, localKey, holder, referenced }));
  if (toOne && words.localKey && !unique.has(localKey.value) && Object.hasOwn(referenced.fields, localKey.value)) {
    const message = `${localKey.value} of ${referenced.name} is not unique, so that it does not name one record`;
    refuse(words.localKey, message);
  }
  for (const field of words.fields ?? []) {
    problems.push(...missingField(field, target));
    if (target.hidden.includes(field.value)) refuse(field, `${field.value} of ${target.name} is hidden`);
  }
  return { value: problems.length > 0 ? null : complete(words, { target, localKey: localKey.value }), problems };
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

function defaultRelationFields(target: ObjectDefinition): string[] {
  const isText = (name: string) => target.fields[name]?.type === 'string' && name !== target.primaryKey;
  return [target.primaryKey, ...telling.filter((name) => isShown(name, target) && isText(name))];
}

function isShown(name: string, { fields, hidden, protected: guarded }: ObjectDefinition): boolean {
  return Object.hasOwn(fields, name) && !hidden.includes(name) && !guarded.includes(name);
}

function* checkKeys(asked: {
  readonly foreignKey: Placed<string>;
  readonly localKey: Placed<string>;
  readonly holder: ObjectDefinition;
  readonly referenced: ObjectDefinition;
}): Iterable<PlacedProblem> {
  const { foreignKey, localKey, holder, referenced } = asked;
  const missing = [...missingField(foreignKey, holder), ...missingField(localKey, referenced)];
  yield* missing;
  const from = holder.fields[foreignKey.value]?.type;
  const to = referenced.fields[localKey.value]?.type;
  if (missing.length > 0 || (from === to && (from === 'integer' || from === 'string'))) return;
  const both = `${holder.name}.${foreignKey.value} (${from}) and ${referenced.name}.${localKey.value} (${to})`;
  yield problemAt(foreignKey.place, `${both} must both be integer or both string`);
}

function* missingField({ value, place }: Placed<string>, { name, fields }: ObjectDefinition): Iterable<PlacedProblem> {
  if (Object.hasOwn(fields, value)) return;
  yield problemAt(place, `${name} has no field ${quote(value)}; fields: ${Object.keys(fields).join(', ')}`);
}
