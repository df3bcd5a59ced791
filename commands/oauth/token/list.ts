/** `hcd oauth token list`: the access tokens of the gateway. */
import { listTokens } from '../../../src/identity/oauth/manage-tokens.js';
import { defineCommand } from '../../command.js';
import { optional, toggle } from '../../parameters.js';
import type { Marks } from '../../result.js';
import { clientIdValue, tokenRecord } from '../shared.js';

const columns = ['token_id', 'client_id', 'user', 'scopes', 'state', 'issued_on', 'expires_on'];

const spare = ['issued_on', 'user'];

const marks: Marks = {
  state: { user_inactive: 'warning', password_changed: 'past', expired: 'past', revoked: 'past' },
};

export const command = defineCommand({
  path: 'oauth token list',
  summary: 'List access tokens',
  description:
    'Lists access tokens that have not expired, the first to expire first: client, user (for the grant password), scopes and state. The tokens themselves are never shown.',
  arguments: {},
  options: {
    client: optional(clientIdValue, { placeholder: 'CLIENT_ID', description: 'Show only tokens of this client' }),
    all: toggle('Also show expired tokens that are still stored'),
  },
  examples: [
    { line: 'oauth token list', does: 'List the tokens that have not expired' },
    { line: 'oauth token list --client website --json', does: 'List the tokens of one client as JSON' },
  ],
  async run({ client, all }, deps) {
    const store = await deps.openReady();
    const tokens = await listTokens(store, { clientId: client ?? null, all, now: deps.clock.now() });
    return { kind: 'list', columns, spare, marks, rows: tokens.map(tokenRecord), empty: 'No access tokens.' };
  },
});
