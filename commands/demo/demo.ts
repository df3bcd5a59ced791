/** `hcd demo`: the sample site in an empty database, and what to try on it. */
import { defineCommand } from '../command.js';

export const demo = defineCommand({
  path: 'demo',
  summary: 'Load the sample site and show what to try',
  description:
    'Loads the shipped sample site (several hundred pages in two contexts, some of them with page documents) into an empty database, switches all three APIs on, and prints curl lines for the next hcd serve that read, create, change and delete pages. A missing schema is migrated first. A database that holds anything else is refused, and so is the database of an existing MODX site.\n\nWith the site come an API key named demo, which may do everything and ends after 30 days, and a user named editor with a password of its own. Both are printed once, with a page token and the key of the banner API. Where the sample is loaded already, nothing is changed and nothing is made: the lines are printed again, with GATEWAY_KEY, PAGES_TOKEN and EDITOR_PASSWORD in the place of what nobody can show any more.',
  arguments: {},
  options: {},
  examples: [
    { line: 'demo', does: 'Load the sample into the configured database' },
    { line: 'demo --database sqlite:./demo.sqlite --json', does: 'Load it into another file, for a script' },
  ],
  // Loaded when it runs: the database layer takes longer to load than most commands take to run.
  run: async (_options, deps) => (await import('./run-demo.js')).runDemo(deps),
});
