/** Opens the registry of objects of the configured site: core objects, definition files and plugins. */
import { resolve } from 'node:path';
import type { Registry } from '../../src/content/objects/definition.js';
import type { Store } from '../../src/store/open/open.js';
import type { Deps } from '../deps.js';

export async function openSiteRegistry(deps: Deps, store: Store): Promise<Registry> {
  const { objects_dir, plugins } = deps.loadConfig().config;
  // Loaded when needed: most commands that share a file with this one need no objects.
  const { openRegistry } = await import('../../src/content/objects/object-registry.js');
  return openRegistry(store, { folder: resolve(deps.cwd, objects_dir), plugins });
}
