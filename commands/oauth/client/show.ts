/** `hcd oauth client show`: show an OAuth client. */
import { loadClient } from '../../../src/identity/oauth/manage-clients.js';
import { defineSiteCommand } from '../../command.js';
import { clientParameter, clientRecord } from './shared.js';

export const command = defineSiteCommand({
  description:
    'Shows an OAuth client: name, scopes, grants, state, number of live tokens, and when it was created, rotated and revoked. previous_ends_on is when the secret before the last rotation stops working. The secret itself is not stored.',
  arguments: { clientId: clientParameter },
  examples: {
    'oauth client show website': 'Show the client website',
    'oauth client show website --json': 'Show the client website as JSON',
  },
  async run({ clientId }, deps) {
    return { kind: 'record', record: clientRecord(await loadClient(deps.store, clientId, deps.clock.now())) };
  },
});
