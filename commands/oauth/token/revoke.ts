/** `hcd oauth token revoke TOKEN_ID`: ends an access token before its time. */
import { defineCommand } from '../../command.js';
import { tokenParameter } from '../parameters.js';

export const command = defineCommand({
  path: 'oauth token revoke',
  summary: 'End an access token before its time',
  description:
    'Ends a token: every server refuses it within one second, with 401 invalid_token. Its client may get another one; hcd oauth client revoke stops that. A token that has ended stays as it is.',
  arguments: { tokenId: tokenParameter },
  options: {},
  examples: [
    { line: 'oauth token revoke 5f0c1f9e8d7a6b43', does: 'End the token that a log line names' },
    { line: 'oauth token revoke 5f0c1f9e8d7a6b43 --yes --json', does: 'The same, for a script' },
  ],
  destructive: {},
  // Loaded when it runs: the database layer takes longer to load than most commands take to run.
  run: async (options, deps) => (await import('./run-revoke.js')).runRevoke(options, deps),
});
