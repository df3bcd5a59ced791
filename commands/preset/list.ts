/** `hcd preset list`: values that banners start with. */
import { partParameters } from '../banner/parameters.js';
import { defineCommand } from '../command.js';

export const command = defineCommand({
  path: 'preset list',
  summary: 'List presets of banners',
  description:
    'Lists the presets, which GET /templates of the banner API shows too: name, type, the template that a page shows them with, and the fields that they set. With --json the values are there.',
  arguments: {},
  options: { ...partParameters },
  examples: [
    { line: 'preset list', does: 'Show all presets' },
    { line: 'preset list --json', does: 'Read them with their values, for a script' },
  ],
  // Loaded when it runs: the database layer takes longer to load than most commands take to run.
  run: async (options, deps) => (await import('./run-preset.js')).runList(options, deps),
});
