/** `hcd setting unset KEY`: takes the stored value of a setting away. */
import { defineCommand } from '../command.js';
import { contextParameter, keyParameter } from './parameters.js';

export const command = defineCommand({
  path: 'setting unset',
  summary: 'Return a setting to its default',
  description:
    'Removes the stored value: a runtime setting has its default again, a setting of a context the value of the site. A setting of the content system itself has no default here, so its removal is asked for; --yes agrees.',
  arguments: { key: keyParameter },
  options: { context: contextParameter },
  examples: [
    { line: 'setting unset gateway_cache_ttl', does: 'Go back to the default' },
    { line: 'setting unset site_name --context web', does: 'Let a context have the name of the site again' },
  ],
  // Loaded when it runs: the database layer takes longer to load than most commands take to run.
  run: async (options, deps) => (await import('./run-unset.js')).runUnset(options, deps),
});
