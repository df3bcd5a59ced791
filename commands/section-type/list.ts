/** `hcd section-type list`: what sections pages can be made of. */
import { defineCommand } from '../command.js';

export const command = defineCommand({
  path: 'section-type list',
  summary: 'List section types and where they come from',
  description:
    'Lists every section type: shipped (as it comes with the program), changed (a definition of this site replaces a shipped one), own (of this site alone), hidden (a shipped type that was removed) and unreadable (stored by another version of the program in a form that this one refuses; its sections cannot be rendered).',
  arguments: {},
  options: {},
  examples: [
    { line: 'section-type list', does: 'Show all section types' },
    { line: 'section-type list --json', does: 'Read them with their fields, for a script' },
  ],
  // Loaded when it runs: the database layer takes longer to load than most commands take to run.
  run: async (_options, deps) => (await import('./run-list.js')).runList(deps),
});
