/** The registry: the eight core objects and whatever files and plugins add. Frozen once the server starts. */
import { coreObjects, resources } from './core-objects.js';
import type { ObjectDefinition, Registry, RelationDefinition } from './definition.js';

/** A relation that a plugin adds to a core object. */
export interface AddedRelation {
  readonly object: string;
  readonly relation: RelationDefinition;
}

/** Joins core and extra objects, whose relations have been checked. */
export function buildRegistry(extra: readonly ObjectDefinition[], added: readonly AddedRelation[] = []): Registry {
  const core = coreObjects.map((object) => withRelations(object, added));
  const objects = new Map([...core, ...extra].map((definition) => [definition.name, definition]));
  return Object.freeze({
    objects,
    get: (name: string) => objects.get(name),
    resources: core[0] ?? resources,
    elements: core.slice(1),
  });
}

function withRelations(object: ObjectDefinition, added: readonly AddedRelation[]): ObjectDefinition {
  const own = added.filter((one) => one.object === object.name).map(({ relation }) => relation);
  return own.length === 0 ? object : Object.freeze({ ...object, relations: [...object.relations, ...own] });
}
