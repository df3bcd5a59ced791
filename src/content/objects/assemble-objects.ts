/** Makes definitions from the specs of files and plugins: fits each to its table, then joins them by relations. */

import type { Place, PlacedProblem } from '../../values/json-tree.js';
import { quoted } from '../../values/reading.js';
import { below, checkRelationName } from './check-spec.js';
import { type AddedRelation, coreObjects } from './core-objects.js';
import type { ObjectDefinition, RelationDefinition } from './definition.js';
import { type FittedObject, fitObject, type RealTables } from './object-columns.js';
import type { ObjectSpec, PlacedRelation, WithProblems } from './object-spec.js';

export interface GivenObjects {
  readonly objects: readonly ObjectSpec[];
  readonly relations: readonly { readonly object: string; readonly spec: PlacedRelation }[];
}

interface LoadedObjects {
  readonly objects: readonly ObjectDefinition[];
  readonly relations: readonly AddedRelation[];
}

export function assembleObjects(given: GivenObjects, database: RealTables): WithProblems<LoadedObjects> {
  const known = new Map<string, FittedObject>(
    coreObjects.map((definition) => [definition.name, { definition, unique: new Set([definition.primaryKey]) }]),
  );
  const problems: PlacedProblem[] = [...repeatedNames(given.objects)];
  for (const spec of given.objects) {
    const fitted = fitObject(spec, database);
    problems.push(...fitted.problems);
    if (fitted.value) known.set(spec.name, fitted.value);
  }
  // A relation to an object that is itself wrong would only repeat that problem.
  if (problems.length > 0) return { value: null, problems };
  const value = relateAll(given, known, problems);
  return { value: problems.length > 0 ? null : value, problems };
}

type KnownObjects = ReadonlyMap<string, FittedObject>;

function* repeatedNames(objects: readonly ObjectSpec[]): Iterable<PlacedProblem> {
  const first = new Map<string, string>();
  for (const { name, placeOf } of objects) {
    const place = placeOf('name');
    const source = first.get(name);
    if (source === undefined) first.set(name, place.source);
    else yield { ...place, message: `${name} is already defined in ${source}` };
  }
}

function relateAll(given: GivenObjects, known: KnownObjects, problems: PlacedProblem[]): LoadedObjects {
  const relations = new Map<string, RelationDefinition[]>();
  const own = given.objects.flatMap(({ name, relations, placeOf }) =>
    relations.map((one, at) => ({ object: name, spec: { ...one, placeOf: below(placeOf, `relations[${at}]`) } })),
  );
  for (const { object: name, spec } of [...own, ...given.relations]) {
    const object = known.get(name)?.definition;
    if (!object) {
      const message = `${quoted(name)} is not an object, so it can have no relation`;
      problems.push({ ...spec.placeOf(''), message });
      continue;
    }
    const list = relations.get(object.name) ?? [];
    relations.set(object.name, list);
    const related = relate(spec, { object, known });
    problems.push(...related.problems);
    if (!related.value) continue;
    if ([...object.relations, ...list].some((one) => one.name === spec.name)) {
      problems.push({ ...spec.placeOf('name'), message: `${object.name} already has a relation ${spec.name}` });
    } else list.push(related.value);
  }
  const objects = given.objects.flatMap(({ name }) => {
    const definition = known.get(name)?.definition;
    return definition ? [Object.freeze({ ...definition, relations: relations.get(name) ?? [] })] : [];
  });
  const added = coreObjects.flatMap(({ name }) =>
    (relations.get(name) ?? []).map((relation) => ({ object: name, relation })),
  );
  return { objects, relations: added };
}

/** Shown besides the primary key when a relation names no fields. */
export const titleFields: readonly string[] = [
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
  spec: PlacedRelation,
  { object, known }: { readonly object: ObjectDefinition; readonly known: KnownObjects },
): WithProblems<RelationDefinition> {
  const found = known.get(spec.target);
  const problems = [...checkRelationName(spec, Object.keys(object.fields))];
  const refuse = (path: string, message: string) => problems.push({ ...spec.placeOf(path), message });
  if (!found) {
    refuse('target', `${quoted(spec.target)} is not an object; objects: ${[...known.keys()].join(', ')}`);
    return { value: null, problems };
  }
  const { definition: target, unique } = found;
  const toOne = spec.type === 'to_one';
  const [holder, referenced] = toOne ? [object, target] : [target, object];
  const localKey = spec.localKey ?? referenced.primaryKey;
  if (!target.readable) refuse('target', `${spec.target} is not readable`);
  problems.push(...checkKeys({ spec, localKey, holder, referenced }));
  if (toOne && spec.localKey !== undefined && !unique.has(localKey) && Object.hasOwn(referenced.fields, localKey)) {
    refuse('localKey', `${localKey} of ${referenced.name} is not unique, so that it does not name one record`);
  }
  for (const [at, field] of (spec.fields ?? []).entries()) {
    const path = `fields[${at}]`;
    problems.push(...missingField(field, target, spec.placeOf(path)));
    if (target.hidden.includes(field)) refuse(path, `${field} of ${target.name} is hidden`);
  }
  return { value: problems.length > 0 ? null : complete(spec, { target, localKey }), problems };
}

function complete(
  { name, type, foreignKey, fields }: PlacedRelation,
  { target, localKey }: { readonly target: ObjectDefinition; readonly localKey: string },
): RelationDefinition {
  const order = type === 'to_one' ? undefined : orderFields.find((one) => isShown(one, target));
  return Object.freeze({
    name,
    target: target.name,
    type,
    foreignKey,
    localKey,
    fields: fields ?? defaultRelationFields(target),
    order: order === undefined ? [] : [order],
  });
}

function defaultRelationFields(target: ObjectDefinition): string[] {
  const isText = (name: string) => target.fields[name]?.type === 'string' && name !== target.primaryKey;
  return [target.primaryKey, ...titleFields.filter((name) => isShown(name, target) && isText(name))];
}

function isShown(name: string, { fields, hidden, protected: guarded }: ObjectDefinition): boolean {
  return Object.hasOwn(fields, name) && !hidden.includes(name) && !guarded.includes(name);
}

function* checkKeys(asked: {
  readonly spec: PlacedRelation;
  readonly localKey: string;
  readonly holder: ObjectDefinition;
  readonly referenced: ObjectDefinition;
}): Iterable<PlacedProblem> {
  const { localKey, holder, referenced } = asked;
  const { foreignKey, placeOf } = asked.spec;
  const place = placeOf('foreignKey');
  const localPlace = asked.spec.localKey === undefined ? place : placeOf('localKey');
  const missing = [...missingField(foreignKey, holder, place), ...missingField(localKey, referenced, localPlace)];
  yield* missing;
  const from = holder.fields[foreignKey]?.type;
  const to = referenced.fields[localKey]?.type;
  if (missing.length > 0 || (from === to && (from === 'integer' || from === 'string'))) return;
  const both = `${holder.name}.${foreignKey} (${from}) and ${referenced.name}.${localKey} (${to})`;
  yield { ...place, message: `${both} must both be integer or both string` };
}

function* missingField(field: string, { name, fields }: ObjectDefinition, place: Place): Iterable<PlacedProblem> {
  if (Object.hasOwn(fields, field)) return;
  yield { ...place, message: `${name} has no field ${quoted(field)}; fields: ${Object.keys(fields).join(', ')}` };
}
