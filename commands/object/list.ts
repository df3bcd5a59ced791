/** `hcd object list`: list registered objects. */
import { resolve } from 'node:path';
import { listRegisteredObjects, type RegisteredObject } from '../../src/content/objects/object-registry.js';
import { defineSiteCommand, type JsonRecord } from '../command.js';

export const command = defineSiteCommand({
  description:
    'Lists the core objects and the objects of definition files and plugins, as a server in this directory exposes them: table, number of fields, what callers can do, and the source of the definition. Definitions that do not match their tables are reported with the lines that are wrong.',
  examples: {
    'object list': 'List all objects',
    'object list --json': 'List all objects with their relations, as JSON',
  },
  async run(_options, deps) {
    const { objects_dir, plugins } = deps.loadConfig().config;
    const objects = await listRegisteredObjects(deps.store, { folder: resolve(deps.cwd, objects_dir), plugins });
    return { kind: 'list', columns: ['name', 'kind', 'table', 'fields', 'flags', 'source'], rows: objects.map(rowOf) };
  },
});

function rowOf(object: RegisteredObject): JsonRecord {
  const flags = (['readable', 'creatable', 'updatable', 'deletable'] as const).filter((flag) => object[flag]);
  return { ...object, flags };
}
