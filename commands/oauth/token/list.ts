/** `hcd oauth token list`: the access tokens of the gateway. */
import { listTokens } from '../../../src/identity/oauth/manage-tokens.js';
import { defineCommand } from '../../command.js';
import { optional, toggle } from '../../parameters.js';
import type { Marks } from '../../result.js';
import { openReady } from '../../store/open-ready.js';
import { tokenRecord } from '../oauth-record.js';
import { clientIdValue } from '../parameters.js';

const columns = ['token_id', 'client_id', 'user', 'scopes', 'state', 'issued_on', 'expires_on'];

const spare = ['issued_on', 'user'];

const marks: Marks = {
  state: { user_inactive: 'warning', password_changed: 'past', expired: 'past', revoked: 'past' },
};

export const command = defineCommand({
  path: 'oauth token list',
  summary: 'List access tokens',
  description:
    'Lists the access tokens that have not reached their end, the first to end first, with client, user (of the grant password), scopes and state; never a token. With --all also those that have ended and are still stored.',
  arguments: {},
  options: {
    client: optional(clientIdValue, { placeholder: 'CLIENT_ID', description: 'Only tokens of this client' }),
    all: toggle('Ended tokens as well'),
  },
  examples: [
    { line: 'oauth token list', does: 'Show the tokens that are out' },
    { line: 'oauth token list --client website --json', does: 'Read the tokens of one client, for a script' },
  ],
  async run({ client, all }, deps) {
    const store = await openReady(deps);
    const tokens = await listTokens(store, { clientId: client ?? null, all, now: deps.clock.now() });
    return { kind: 'list', columns, spare, marks, rows: tokens.map(tokenRecord), empty: 'There is no access token.' };
  },
});
