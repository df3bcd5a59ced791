/** The events of the site as words to choose from. */
import { resolve } from 'node:path';
import { eventSamples } from '../../src/content/administration/event-samples.js';
import { openRegistry } from '../../src/content/objects/object-registry.js';
import type { Deps } from '../deps.js';
import { openReady } from '../store/open-ready.js';

export async function offerEvents(deps: Deps): Promise<readonly string[]> {
  const { config } = deps.loadConfig();
  const store = await openReady(deps);
  const registry = await openRegistry(store, {
    folder: resolve(deps.cwd, config.objects_dir),
    plugins: config.plugins,
  });
  return [...eventSamples(registry, deps.clock.now()).map(({ event }) => event), '*'];
}
