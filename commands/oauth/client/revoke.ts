/** `hcd oauth client revoke CLIENT_ID`: ends an OAuth client for good. */
import { defineCommand } from '../../command.js';
import { toggle } from '../../parameters.js';
import { clientParameter } from '../parameters.js';

export const command = defineCommand({
  path: 'oauth client revoke',
  summary: 'End an OAuth client for good',
  description:
    'Ends a client: it gets no new token from now on. The tokens that it has work until they end by themselves; with --with-tokens they end as well, and every server refuses them within one second. A revoked client stays in the list, cannot be brought back, and its id is not given out again.',
  arguments: { clientId: clientParameter },
  options: { withTokens: toggle('End its tokens as well') },
  examples: [
    { line: 'oauth client revoke website', does: 'Give the client no more tokens' },
    { line: 'oauth client revoke website --with-tokens --yes', does: 'Shut out a client whose secret leaked' },
  ],
  destructive: {},
  // Loaded when it runs: the database layer takes longer to load than most commands take to run.
  run: async (options, deps) => (await import('./run-revoke.js')).runRevoke(options, deps),
});
