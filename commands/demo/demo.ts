/** `hcd demo`: the sample site in an empty database, and what to try on it. */
import { defineCommand } from '../command.js';

export const demo = defineCommand({
  path: 'demo',
  summary: 'Load the sample site and show what to try',
  description:
    'Loads the shipped sample site (several hundred pages in two contexts) into an empty database, switches all three APIs on and prints curl lines for the next hcd serve. A missing schema is migrated first. A database that holds anything else is refused, and so is the database of an existing MODX site. Where the sample is loaded already, nothing is changed and the lines are printed again.',
  arguments: {},
  options: {},
  examples: [
    { line: 'demo', does: 'Load the sample into the configured database' },
    { line: 'demo --database sqlite:./demo.sqlite --json', does: 'Load it into another file, for a script' },
  ],
  // Loaded when it runs: the database layer takes longer to load than most commands take to run.
  run: async (_options, deps) => (await import('./run-demo.js')).runDemo(deps),
});
