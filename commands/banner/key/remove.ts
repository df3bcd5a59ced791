/** `hcd banner key remove NAME`: ends a key of the banner API that may only read. */
import { defineCommand } from '../../command.js';
import { readKeyParameter } from './parameters.js';

export const command = defineCommand({
  path: 'banner key remove',
  summary: 'End a key of the banner API that may only read',
  description:
    'Ends a key by its name: servers refuse it within one second. The main key is replaced by hcd banner key rotate.',
  arguments: { name: readKeyParameter },
  options: {},
  examples: [
    { line: 'banner key remove dashboard', does: 'End a key' },
    { line: 'banner key remove report --yes --json', does: 'The same, from a script' },
  ],
  destructive: {},
  // Loaded when it runs: the database layer takes longer to load than most commands take to run.
  run: async (options, deps) => (await import('./run-key.js')).runRemove(options, deps),
});
