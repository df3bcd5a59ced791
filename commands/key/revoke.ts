/** `hcd key revoke ID`: ends an API key for good. */
import { defineCommand } from '../command.js';
import { keyParameter } from './parameters.js';

export const command = defineCommand({
  path: 'key revoke',
  summary: 'End an API key for good',
  description:
    'Ends a key: every server refuses it within one second, with 401 invalid_token. A revoked key stays in the list and cannot be brought back; make a new one instead. A key that was revoked before stays as it is.',
  arguments: { id: keyParameter },
  options: {},
  examples: [
    { line: 'key revoke 3', does: 'End the key with the id 3' },
    { line: 'key revoke 5f0c1f9e8d7a6b43 --yes', does: 'End a leaked key by the public part of its text' },
  ],
  destructive: {},
  // Loaded when it runs: the database layer takes longer to load than most commands take to run.
  run: async (options, deps) => (await import('./run-revoke.js')).runRevoke(options, deps),
});
