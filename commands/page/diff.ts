/** `hcd page diff ID [A] [B]`: what differs between two documents of a page. */
import { defineCommand } from '../command.js';
import { optional } from '../parameters.js';
import { documentValue, pageParameter } from './parameters.js';

export const command = defineCommand({
  path: 'page diff',
  summary: 'Compare two documents of a page',
  description:
    'Shows what differs between two documents of a page, section by section and value by value: the draft, what is published now, or what was published under a number. Left out: from what is published to the draft. Sections are known by their ids, so one that only moved is told as moved. Long values are cut; JSON has them whole. The exit code is 0, whether anything differs or not.',
  arguments: {
    id: pageParameter,
    from: optional(documentValue, { placeholder: 'A', description: 'The earlier document' }),
    to: optional(documentValue, { placeholder: 'B', description: 'The later document; draft when left out' }),
  },
  options: {},
  examples: [
    { line: 'page diff 42', does: 'See what publishing the draft would change' },
    { line: 'page diff 42 3 7', does: 'Compare two publications' },
  ],
  // Loaded when it runs: the database layer takes longer to load than most commands take to run.
  run: async (options, deps) => (await import('./run-diff.js')).runDiff(options, deps),
});
