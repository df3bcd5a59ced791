/** `hcd oauth token prune`: removes access tokens that have ended. */
import { pruneTokens } from '../../../src/identity/oauth/manage-tokens.js';
import { defineCommand } from '../../command.js';
import { confirmChange } from '../../confirm.js';
import { openReady } from '../../store/open-ready.js';

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
  async run(_options, deps) {
    const store = await openReady(deps);
    await confirmChange(deps, 'Remove the access tokens that have ended?');
    const removed = await pruneTokens(store, deps.clock.now());
    return { kind: 'done', message: `Removed access tokens that have ended: ${removed}.`, data: { removed } };
  },
});
