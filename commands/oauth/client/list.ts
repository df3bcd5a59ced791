/** `hcd oauth client list`: the OAuth clients of the gateway. */
import { defineCommand } from '../../command.js';
import { toggle } from '../../parameters.js';

export const command = defineCommand({
  path: 'oauth client list',
  summary: 'List OAuth clients with their state',
  description:
    'Lists every OAuth client with scopes, grants, state the number of its tokens that work now, and when it last got one; never a secret. A revoked client stays in the list and gets no new token. previous_ends_on is the time until which the secret before a rotation works too. A narrow terminal shows fewer columns and says which are missing.',
  arguments: {},
  options: { usable: toggle('Only clients that may get tokens') },
  examples: [
    { line: 'oauth client list', does: 'Show all clients' },
    { line: 'oauth client list --usable --json', does: 'Read the clients that work, for a script' },
  ],
  // Loaded when it runs: the database layer takes longer to load than most commands take to run.
  run: async (options, deps) => (await import('./run-list.js')).runList(options, deps),
});
