/** `hcd position remove POSITION`: a place that is needed no more. */
import { positionParameter } from '../banner/parameters.js';
import { defineCommand } from '../command.js';

export const command = defineCommand({
  path: 'position remove',
  summary: 'Remove a position of banners',
  description:
    'Removes a position and the links of its banners for good; the banners themselves and what visitors did there stay.',
  arguments: { position: positionParameter },
  options: {},
  examples: [
    { line: 'position remove sidebar', does: 'Remove a position' },
    { line: 'position remove 2 --yes --json', does: 'The same, from a script' },
  ],
  destructive: {},
  // Loaded when it runs: the database layer takes longer to load than most commands take to run.
  run: async (options, deps) => (await import('./run-write.js')).runRemove(options, deps),
});
