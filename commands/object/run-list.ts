/** Lists the registered objects for `hcd object list`. */
import { resolve } from 'node:path';
import { listRegisteredObjects, type RegisteredObject } from '../../src/content/objects/object-registry.js';
import type { Deps } from '../deps.js';
import type { JsonRecord, ListResult } from '../result.js';
import { openReady } from '../store/open-ready.js';

const columns = ['name', 'kind', 'table', 'fields', 'flags', 'source'];

export async function runList(deps: Deps): Promise<ListResult> {
  const { config } = deps.loadConfig();
  const store = await openReady(deps);
  const folder = resolve(deps.cwd, config.objects_dir);
  const objects = await listRegisteredObjects(store, { folder, plugins: config.plugins });
  return { kind: 'list', columns, rows: objects.map(rowOf) };
}

function rowOf(object: RegisteredObject): JsonRecord {
  const flags = (['readable', 'creatable', 'updatable', 'deletable'] as const).filter((flag) => object[flag]);
  return { ...object, flags };
}
