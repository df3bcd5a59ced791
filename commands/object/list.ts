/** `hcd object list`: what the gateway exposes, with the origin of each object. */
import { resolve } from 'node:path';
import { listRegisteredObjects, type RegisteredObject } from '../../src/content/objects/object-registry.js';
import { defineCommand } from '../command.js';
import type { JsonRecord } from '../result.js';
import { openReady } from '../store/open-ready.js';

const columns = ['name', 'kind', 'table', 'fields', 'flags', 'source'];

export const command = defineCommand({
  path: 'object list',
  summary: 'List the registered objects',
  description:
    'Lists the core objects and those of definition files and plugins as a server started here would expose them: table, number of fields, what callers may do, where the definition is. Definitions that do not fit their tables are refused with every offending line.',
  arguments: {},
  options: {},
  examples: [
    { line: 'object list', does: 'Show what is registered' },
    { line: 'object list --json', does: 'Read the objects with their relations' },
  ],
  async run(_options, deps) {
    const { config } = deps.loadConfig();
    const store = await openReady(deps);
    const folder = resolve(deps.cwd, config.objects_dir);
    const objects = await listRegisteredObjects(store, { folder, plugins: config.plugins });
    return { kind: 'list', columns, rows: objects.map(rowOf) };
  },
});

function rowOf(object: RegisteredObject): JsonRecord {
  const flags = (['readable', 'creatable', 'updatable', 'deletable'] as const).filter((flag) => object[flag]);
  return { ...object, flags };
}
