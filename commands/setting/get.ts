/** `hcd setting get KEY`: one setting as it is in effect. */
import { defineCommand } from '../command.js';
import { toggle } from '../parameters.js';
import { contextParameter, keyParameter } from './parameters.js';

export const command = defineCommand({
  path: 'setting get',
  summary: 'Show one setting',
  description:
    'Shows the value in effect, its source and the default. With --context a setting of the content system as it holds in that context: its own value, else that of the site.',
  arguments: { key: keyParameter },
  options: { context: contextParameter, showSecret: toggle('Show a secret instead of masking it') },
  examples: [
    { line: 'setting get gateway_cache_ttl', does: 'Show a setting of the gateway' },
    { line: 'setting get site_name --context web --json', does: 'Read a setting of a context' },
  ],
  // Loaded when it runs: the database layer takes longer to load than most commands take to run.
  run: async (options, deps) => (await import('./run-get.js')).runGet(options, deps),
});
