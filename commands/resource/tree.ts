/** `hcd resource tree [ID]`: resources below each other. */
import { integerValue, textValue } from '../../src/config/value-type.js';
import { defineCommand } from '../command.js';
import { optional, toggle } from '../parameters.js';
import { idValue } from './id-value.js';
import { defaultLimit, maxDepth } from './tree-limits.js';

export const command = defineCommand({
  path: 'resource tree',
  summary: 'Show the tree of resources',
  description:
    'Shows resources below each other, in the order of their menu index: all of them, or those below the one that is named. Unpublished resources are marked and shown, deleted ones with --all. The tree is read level by level and ends at --depth or --limit; it says where children are missing. In a pipe each line is indented by tabs and has id, title, marks, context and the number of children left out.',
  arguments: { id: optional(idValue, { placeholder: 'ID', description: 'Start at this resource' }) },
  options: {
    context: optional(textValue(), { placeholder: 'KEY', description: 'Only resources of this context' }),
    depth: optional(integerValue({ min: 1, max: maxDepth }), { placeholder: 'N', description: 'Levels to show' }),
    limit: optional(integerValue({ min: 1, max: 100_000 }), {
      placeholder: 'N',
      description: `Most resources to show, ${defaultLimit} when left out`,
    }),
    all: toggle('Show deleted resources too'),
  },
  examples: [
    { line: 'resource tree --depth 2', does: 'Show the two upper levels of every context' },
    { line: 'resource tree 42 --all --json', does: 'Read a branch for a script, deleted resources included' },
  ],
  // Loaded when it runs: the database layer takes longer to load than most commands take to run.
  run: async (options, deps) => (await import('./run-tree.js')).runTree(options, deps),
});
