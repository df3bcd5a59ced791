/** `hcd oauth token prune`: removes access tokens that have ended. */
import { defineCommand } from '../../command.js';

export const command = defineCommand({
  path: 'oauth token prune',
  summary: 'Remove access tokens that have ended',
  description:
    'Removes the tokens whose time is over from the database, revoked ones included. They do not work either way; removing them keeps the table small. Run it once a day on a site whose clients get many tokens.',
  arguments: {},
  options: {},
  examples: [
    { line: 'oauth token prune', does: 'Remove what has ended' },
    { line: 'oauth token prune --yes --json', does: 'The same from a scheduled job, with the number for a script' },
  ],
  destructive: {},
  // Loaded when it runs: the database layer takes longer to load than most commands take to run.
  run: async (options, deps) => (await import('./run-prune.js')).runPrune(options, deps),
});
