/** The scopes of the site as words to choose from. */
import { resolve } from 'node:path';
import { siteScopes } from '../../src/content/objects/known-scopes.js';
import { openRegistry } from '../../src/content/objects/object-registry.js';
import type { Deps } from '../deps.js';
import { openReady } from '../store/open-ready.js';

export async function offerScopes(deps: Deps): Promise<readonly string[]> {
  const { config } = deps.loadConfig();
  const store = await openReady(deps);
  const registry = await openRegistry(store, {
    folder: resolve(deps.cwd, config.objects_dir),
    plugins: config.plugins,
  });
  return siteScopes(store, registry);
}
