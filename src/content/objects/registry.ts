/** The registry: the eight core objects and whatever files and plugins add. Frozen once the server starts. */
import { AppError } from '../../errors/app-error.js';
import { coreObjects, resources } from './core-objects.js';
import type { ObjectDefinition, Registry, RelationDefinition } from './definition.js';

/** A relation that a plugin adds to a core object. */
export interface AddedRelation {
  readonly object: string;
  readonly relation: RelationDefinition;
}

/**
 * Joins core and extra objects and checks what no definition can check alone: unique names, relation targets and keys.
 * Throws configuration_invalid with all problems.
 */
export function buildRegistry(extra: readonly ObjectDefinition[], added: readonly AddedRelation[] = []): Registry {
  const objects = new Map<string, ObjectDefinition>();
  const problems: string[] = [];
  const core = coreObjects.map((object) => withRelations(object, added));
  for (const definition of [...core, ...extra]) {
    if (objects.has(definition.name)) problems.push(`${definition.name} is registered twice`);
    else objects.set(definition.name, definition);
  }
  for (const definition of objects.values()) {
    for (const relation of definition.relations) {
      const target = objects.get(relation.target);
      const where = `${definition.name}.relations.${relation.name}`;
      if (!target) {
        problems.push(`${where}: target ${relation.target} is not a registered object`);
        continue;
      }
      const [holder, referenced] = relation.type === 'to_one' ? [definition, target] : [target, definition];
      if (!holder.fields[relation.foreignKey])
        problems.push(`${where}: ${holder.name} has no field ${relation.foreignKey}`);
      if (!referenced.fields[relation.localKey]) {
        problems.push(`${where}: ${referenced.name} has no field ${relation.localKey}`);
      }
      for (const field of [...relation.fields, ...relation.order]) {
        if (!target.fields[field] || target.hidden.includes(field)) {
          problems.push(`${where}: ${target.name} has no readable field ${field}`);
        }
      }
    }
  }
  if (problems.length > 0) throw new AppError('configuration_invalid', { message: problems.join('; ') });
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
