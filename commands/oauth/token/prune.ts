/** `hcd oauth token prune`: remove expired access tokens. */
import { pruneTokens } from '../../../src/identity/oauth/manage-tokens.js';
import { defineSiteCommand } from '../../command.js';

export const command = defineSiteCommand({
  description:
    'Removes expired tokens from the database, including revoked ones. Expired tokens do not work anyway; removing them keeps the table small. Run it daily on a site whose clients get many tokens.',
  examples: {
    'oauth token prune': 'Remove expired tokens',
    'oauth token prune --yes --json': 'Remove expired tokens from a scheduled job',
  },
  destructive: {},
  async run(_options, deps) {
    await deps.confirm('Remove all expired access tokens?');
    const removed = await pruneTokens(deps.store, deps.clock.now());
    return { kind: 'done', message: `Removed expired access tokens: ${removed}.`, data: { removed } };
  },
});
