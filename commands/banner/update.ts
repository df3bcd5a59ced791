/** `hcd banner update ID`: other values for a banner. */
import { defineCommand } from '../command.js';
import { writeParameters } from './field-flags.js';
import { bannerParameter } from './parameters.js';

export const command = defineCommand({
  path: 'banner update',
  summary: 'Change a banner',
  description:
    'Changes the given fields of a banner; the others stay. --positions is the whole new list: links whose position stays in it keep their place and weight, and an empty text removes them all. null takes away a time, the hours, the description or the html; 0 takes away an id or a limit.',
  arguments: { id: bannerParameter },
  options: { ...writeParameters },
  examples: [
    {
      line: 'banner update 3 --end 2026-12-31T23:59:59Z --max-clicks 500',
      does: 'End a banner with the year, or sooner',
    },
    { line: 'banner update 3 --positions 1,4 --json', does: 'Show it elsewhere, from a script' },
  ],
  // Loaded when it runs: the database layer takes longer to load than most commands take to run.
  run: async (options, deps) => (await import('./run-write.js')).runUpdate(options, deps),
});
