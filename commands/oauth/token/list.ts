/** `hcd oauth token list`: list access tokens. */
import { listTokens } from '../../../src/identity/oauth/manage-tokens.js';
import { defineSiteCommand } from '../../command.js';
import { optional, toggle } from '../../parameters.js';
import { clientIdValue } from '../client/shared.js';
import { tokenRecord } from './shared.js';

export const command = defineSiteCommand({
  description:
    'Lists access tokens that have not expired, the first to expire first: client, user (for the grant password), scopes and state. The tokens themselves are never shown.',
  options: {
    client: optional(clientIdValue, { placeholder: 'CLIENT_ID', description: 'Show only tokens of this client' }),
    all: toggle('Also show expired tokens that are still stored'),
  },
  examples: {
    'oauth token list': 'List the tokens that have not expired',
    'oauth token list --client website --json': 'List the tokens of one client as JSON',
  },
  async run({ client, all }, deps) {
    const tokens = await listTokens(deps.store, { clientId: client ?? null, all, now: deps.clock.now() });
    return {
      kind: 'list',
      columns: ['token_id', 'client_id', 'user', 'scopes', 'state', 'issued_on', 'expires_on'],
      spare: ['issued_on', 'user'],
      marks: { state: { user_inactive: 'warning', password_changed: 'past', expired: 'past', revoked: 'past' } },
      rows: tokens.map(tokenRecord),
      empty: 'No access tokens.',
    };
  },
});
