/** `hcd page show ID`: a page, or one of its documents. */
import { defineCommand } from '../command.js';
import { optional } from '../parameters.js';
import { documentValue, pageParameter } from './parameters.js';

export const command = defineCommand({
  path: 'page show',
  summary: 'Show a page, or one of its documents',
  description:
    'Shows state, revisions and plans of a page, the sections of its draft, and what keeps the draft from being published. JSON has the whole draft. With --document it prints one document alone, as hcd page edit takes it: the draft, what is published now, or what was published under a number.',
  arguments: { id: pageParameter },
  options: {
    document: optional(documentValue, { placeholder: 'WHICH', description: 'Print this document and nothing else' }),
  },
  examples: [
    { line: 'page show 42', does: 'See where a page stands' },
    { line: 'page show 42 --document draft > about.json', does: 'Save the draft to a file, to edit it' },
  ],
  // Loaded when it runs: the database layer takes longer to load than most commands take to run.
  run: async (options, deps) => (await import('./run-show.js')).runShow(options, deps),
});
