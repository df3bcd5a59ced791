/** `hcd oauth client show CLIENT_ID`: one OAuth client of the gateway. */
import { loadClient } from '../../../src/identity/oauth/manage-clients.js';
import { defineCommand } from '../../command.js';
import { clientParameter, clientRecord } from '../shared.js';

export const command = defineCommand({
  path: 'oauth client show',
  summary: 'Show an OAuth client',
  description:
    'Shows an OAuth client: name, scopes, grants, state, number of live tokens, and when it was created, rotated and revoked. previous_ends_on is when the secret before the last rotation stops working. The secret itself is not stored.',
  arguments: { clientId: clientParameter },
  options: {},
  examples: [
    { line: 'oauth client show website', does: 'Show the client website' },
    { line: 'oauth client show website --json', does: 'Show the client website as JSON' },
  ],
  async run({ clientId }, deps) {
    const store = await deps.openReady();
    return { kind: 'record', record: clientRecord(await loadClient(store, clientId, deps.clock.now())) };
  },
});
