/** `hcd object list`: the objects that the gateway exposes, with the source of each. */
import { resolve } from 'node:path';
import { listRegisteredObjects, type RegisteredObject } from '../../src/content/objects/object-registry.js';
import { defineCommand } from '../command.js';
import type { JsonRecord } from '../result.js';

const columns = ['name', 'kind', 'table', 'fields', 'flags', 'source'];

export const command = defineCommand({
  path: 'object list',
  summary: 'List registered objects',
  description:
    'Lists the core objects and the objects of definition files and plugins, as a server in this directory exposes them: table, number of fields, what callers can do, and the source of the definition. Definitions that do not match their tables are reported with the lines that are wrong.',
  arguments: {},
  options: {},
  examples: [
    { line: 'object list', does: 'List all objects' },
    { line: 'object list --json', does: 'List all objects with their relations, as JSON' },
  ],
  async run(_options, deps) {
    const { config } = deps.loadConfig();
    const store = await deps.openReady();
    const folder = resolve(deps.cwd, config.objects_dir);
    const objects = await listRegisteredObjects(store, { folder, plugins: config.plugins });
    return { kind: 'list', columns, rows: objects.map(rowOf) };
  },
});

function rowOf(object: RegisteredObject): JsonRecord {
  const flags = (['readable', 'creatable', 'updatable', 'deletable'] as const).filter((flag) => object[flag]);
  return { ...object, flags };
}
