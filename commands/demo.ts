/** `hcd demo`: the sample site in an empty database, and what to try on it. */
import { defineCommand } from './command.js';
import { toggle } from './parameters.js';

export const command = defineCommand({
  path: 'demo',
  summary: 'Load the sample site and show what to try',
  description:
    'Loads the shipped sample site (several hundred pages in two contexts, some of them with page documents) into an empty database, switches all three APIs on, and prints the address of the API reference and five curl lines for the next hcd serve; --show prints all of them, which read, create, change and delete pages. Web pages that are developed on this machine may call the APIs: the usual ports of localhost are let in (gateway_cors_allowed_origins, banners_api_cors_origin). A missing schema is migrated first. A port that is taken is refused before anything is loaded. A database that holds anything else is refused, and so is the database of an existing MODX site.\n\nWith the site come an API key named demo, which may do everything and ends after 30 days, and a user named editor with a password of its own. Both are printed once, with a page token and the key of the banner API. Where the sample is loaded already, nothing is changed and nothing is made: the lines are printed again, with GATEWAY_KEY, PAGES_TOKEN and EDITOR_PASSWORD instead of what can no longer be shown.',
  arguments: {},
  options: { show: toggle('Print every line to try, not only the first five') },
  examples: [
    { line: 'demo', does: 'Load the sample into the configured database' },
    { line: 'demo --show', does: 'Print every line to try' },
    { line: 'demo --database sqlite:./demo.sqlite --json', does: 'Load it into another file, for a script' },
  ],
  // Loaded when it runs: the database layer takes longer to load than most commands take to run.
  run: async (options, deps) => (await import('./demo/run-demo.js')).runDemo(options, deps),
});
