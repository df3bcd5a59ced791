/** `hcd oauth token list`: the access tokens of the gateway. */
import { defineCommand } from '../../command.js';
import { optional, toggle } from '../../parameters.js';
import { clientIdValue } from '../parameters.js';

export const command = defineCommand({
  path: 'oauth token list',
  summary: 'List access tokens',
  description:
    'Lists the access tokens that have not reached their end, the first to end first, with client, user (of the grant password), scopes and state; never a token. With --all also those that have ended and are still stored.',
  arguments: {},
  options: {
    client: optional(clientIdValue, { placeholder: 'CLIENT_ID', description: 'Only tokens of this client' }),
    all: toggle('Ended tokens as well'),
  },
  examples: [
    { line: 'oauth token list', does: 'Show the tokens that are out' },
    { line: 'oauth token list --client website --json', does: 'Read the tokens of one client, for a script' },
  ],
  // Loaded when it runs: the database layer takes longer to load than most commands take to run.
  run: async (options, deps) => (await import('./run-list.js')).runList(options, deps),
});
