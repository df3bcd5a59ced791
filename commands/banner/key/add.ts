/** `hcd banner key add NAME`: a key of the banner API that may only read. */
import { defineCommand } from '../../command.js';
import { readKeyParameter } from './parameters.js';

export const command = defineCommand({
  path: 'banner key add',
  summary: 'Make a key of the banner API that may only read',
  description:
    'Makes a key that opens every reading route of the banner API and is refused where something would be written. Prints it, once: the setting banners_api_read_keys keeps its name and a digest only.',
  arguments: { name: readKeyParameter },
  options: {},
  examples: [
    { line: 'banner key add dashboard', does: 'Make a key for a page with statistics' },
    { line: 'banner key add report --json', does: 'Make one, for a script' },
  ],
  // Loaded when it runs: the database layer takes longer to load than most commands take to run.
  run: async (options, deps) => (await import('./run-key.js')).runAdd(options, deps),
});
