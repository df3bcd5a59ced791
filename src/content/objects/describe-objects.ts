/** The registered objects as `hcd object list` shows them. */

import { coreObjects } from './core-objects.js';
import type { Registry } from './definition.js';

export interface ObjectDescription {
  readonly name: string;
  /** core: part of the program; extra: from a file or plugin. */
  readonly kind: 'core' | 'extra';
  /** Without the content prefix when the object's table has it. */
  readonly table: string;
  readonly primaryKey: string;
  readonly fields: number;
  readonly relations: readonly string[];
  readonly readable: boolean;
  readonly creatable: boolean;
  readonly updatable: boolean;
  readonly deletable: boolean;
}

const coreNames = new Set(coreObjects.map(({ name }) => name));

/** One row per object, in the order of the registry. */
export function describeObjects(registry: Registry): ObjectDescription[] {
  return [...registry.objects.values()].map((object) => ({
    name: object.name,
    kind: coreNames.has(object.name) ? 'core' : 'extra',
    table: object.table,
    primaryKey: object.primaryKey,
    fields: Object.keys(object.fields).length,
    relations: object.relations.map(({ name, target, type }) => `${name} (${type} ${target})`),
    readable: object.readable,
    creatable: object.creatable,
    updatable: object.updatable,
    deletable: object.deletable,
  }));
}
