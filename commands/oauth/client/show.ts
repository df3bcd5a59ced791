/** `hcd oauth client show CLIENT_ID`: one OAuth client of the gateway. */
import { loadClient } from '../../../src/identity/oauth/client-view.js';
import { defineCommand } from '../../command.js';
import { openReady } from '../../store/open-ready.js';
import { clientRecord } from '../oauth-record.js';
import { clientParameter } from '../parameters.js';

export const command = defineCommand({
  path: 'oauth client show',
  summary: 'Show an OAuth client',
  description:
    'Shows everything that is known of an OAuth client: name, scopes, grants, state, how many of its tokens work now, and when it was made, rotated and revoked. previous_ends_on is the time until which the secret before the last rotation works too. The secret itself is not stored.',
  arguments: { clientId: clientParameter },
  options: {},
  examples: [
    { line: 'oauth client show website', does: 'Show the client website' },
    { line: 'oauth client show website --json', does: 'Read it for a script' },
  ],
  async run({ clientId }, deps) {
    const store = await openReady(deps);
    return { kind: 'record', record: clientRecord(await loadClient(store, clientId, deps.clock.now())) };
  },
});
