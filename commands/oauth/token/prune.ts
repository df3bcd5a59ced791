/** `hcd oauth token prune`: removes expired access tokens. */
import { pruneTokens } from '../../../src/identity/oauth/manage-tokens.js';
import { defineCommand } from '../../command.js';
import { confirmChange } from '../../confirm.js';

export const command = defineCommand({
  path: 'oauth token prune',
  summary: 'Remove expired access tokens',
  description:
    'Removes expired tokens from the database, including revoked ones. Expired tokens do not work anyway; removing them keeps the table small. Run it daily on a site whose clients get many tokens.',
  arguments: {},
  options: {},
  examples: [
    { line: 'oauth token prune', does: 'Remove expired tokens' },
    { line: 'oauth token prune --yes --json', does: 'Remove expired tokens from a scheduled job' },
  ],
  destructive: {},
  async run(_options, deps) {
    const store = await deps.openReady();
    await confirmChange(deps, 'Remove all expired access tokens?');
    const removed = await pruneTokens(store, deps.clock.now());
    return { kind: 'done', message: `Removed expired access tokens: ${removed}.`, data: { removed } };
  },
});
