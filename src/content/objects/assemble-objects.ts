/** Makes definitions of all words that files and plugins gave: fits each to its table, then joins them by relations. */

import { type PlacedProblem, quote } from '../../values/json-tree.js';
import { coreObjects } from './core-objects.js';
import type { ObjectDefinition, RelationDefinition } from './definition.js';
import { fitObject, type RealTables } from './object-columns.js';
import { type Checked, problemAt } from './object-problem.js';
import type { ObjectWords, Placed, RelationWords } from './object-words.js';
import type { AddedRelation } from './registry.js';
import { type KnownObjects, relate } from './relate-objects.js';

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
export interface LoadedObjects {
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
