/** `hcd token revoke ID`: ends a page token for good. */
import { defineCommand } from '../command.js';
import { tokenParameter } from './parameters.js';

export const command = defineCommand({
  path: 'token revoke',
  summary: 'End a page token for good',
  description:
    'Ends a token: every server refuses it from the next request on, with 401. A revoked token stays in the list and cannot be brought back; make a new one instead. A token that was revoked before stays as it is.',
  arguments: { id: tokenParameter },
  options: {},
  examples: [
    { line: 'token revoke 3', does: 'End the token with the id 3' },
    { line: 'token revoke pt_5f0c1f9e --yes', does: 'End a leaked token by the public part of its text' },
  ],
  destructive: {},
  // Loaded when it runs: the database layer takes longer to load than most commands take to run.
  run: async (options, deps) => (await import('./run-revoke.js')).runRevoke(options, deps),
});
