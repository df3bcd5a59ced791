/** `hcd oauth client list`: list OAuth clients. */
import { listClients } from '../../../src/identity/oauth/manage-clients.js';
import { defineSiteCommand } from '../../command.js';
import { toggle } from '../../parameters.js';
import { clientRecord } from './shared.js';

const columns = [
  'client_id',
  'name',
  'scopes',
  'grants',
  'state',
  'live_tokens',
  'last_used_on',
  'created_on',
  'previous_ends_on',
];

export const command = defineSiteCommand({
  description:
    'Lists all OAuth clients with their scopes, grants, state, number of live tokens and the last time they got one. Secrets are never shown. A revoked client stays in the list and gets no new tokens. previous_ends_on is when the secret before the last rotation stops working. A narrow terminal shows fewer columns and names the missing ones.',
  options: { usable: toggle('Show only clients that can get tokens') },
  examples: {
    'oauth client list': 'List all clients',
    'oauth client list --usable --json': 'List the clients that can get tokens as JSON',
  },
  async run({ usable }, deps) {
    const clients = await listClients(deps.store, deps.clock.now());
    const shown = usable ? clients.filter(({ state }) => state === 'active') : clients;
    return {
      kind: 'list',
      columns,
      spare: ['created_on', 'name', 'grants', 'previous_ends_on'],
      marks: { state: { revoked: 'past' } },
      rows: shown.map(clientRecord),
      empty: 'No OAuth clients. Create one: hcd oauth client add website --scopes resources.read',
    };
  },
});
