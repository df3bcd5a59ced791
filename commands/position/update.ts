/** `hcd position update POSITION`: another name or context. */
import { positionParameter } from '../banner/parameters.js';
import { defineCommand } from '../command.js';
import { optional } from '../parameters.js';
import { aboutContext, anyText } from './parameters.js';

export const command = defineCommand({
  path: 'position update',
  summary: 'Change a position of banners',
  description:
    'Changes the name or the context of a position; its banners stay. Pages that ask for it by its old name find it no more.',
  arguments: { position: positionParameter },
  options: {
    name: optional(anyText, { placeholder: 'NAME', description: 'The new name' }),
    contextKey: optional(anyText, aboutContext),
  },
  examples: [
    { line: 'position update 2 --name sidebar-top', does: 'Give a position another name' },
    { line: 'position update sidebar --context-key "" --json', does: 'Have it in every context, from a script' },
  ],
  // Loaded when it runs: the database layer takes longer to load than most commands take to run.
  run: async (options, deps) => (await import('./run-write.js')).runUpdate(options, deps),
});
