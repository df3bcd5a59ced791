/** `hcd resource create`: a new resource from flags, JSON or a file. */
import { defineCommand } from '../command.js';
import { eventsParameter, writeParameters } from './field-flags.js';

export const command = defineCommand({
  path: 'resource create',
  summary: 'Create a resource',
  description:
    'Creates a resource by the rules of the gateway: what is left out gets the defaults of the content system, the alias is made from the title, the address from the alias and the place in the tree, and an address that is taken is refused. pagetitle is needed. Flags are 1, 0, true or false; times are ISO 8601 or Unix seconds.',
  arguments: {},
  options: { ...writeParameters, events: eventsParameter },
  examples: [
    { line: 'resource create --pagetitle News --parent 2 --published 1', does: 'Create a page below another' },
    {
      line: 'resource create --file page.json --tv color=blue --json',
      does: 'Create a page from a file, for a script',
    },
  ],
  // Loaded when it runs: the database layer takes longer to load than most commands take to run.
  run: async (options, deps) => (await import('./run-write.js')).runCreate(options, deps),
});
