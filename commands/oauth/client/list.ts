/** `hcd oauth client list`: the OAuth clients of the gateway. */
import { listClients } from '../../../src/identity/oauth/manage-clients.js';
import { defineCommand } from '../../command.js';
import { toggle } from '../../parameters.js';
import type { Marks } from '../../result.js';
import { clientRecord } from '../shared.js';

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

const spare = ['created_on', 'name', 'grants', 'previous_ends_on'];

const marks: Marks = { state: { revoked: 'past' } };

export const command = defineCommand({
  path: 'oauth client list',
  summary: 'List OAuth clients',
  description:
    'Lists all OAuth clients with their scopes, grants, state, number of live tokens and the last time they got one. Secrets are never shown. A revoked client stays in the list and gets no new tokens. previous_ends_on is when the secret before the last rotation stops working. A narrow terminal shows fewer columns and names the missing ones.',
  arguments: {},
  options: { usable: toggle('Show only clients that can get tokens') },
  examples: [
    { line: 'oauth client list', does: 'List all clients' },
    { line: 'oauth client list --usable --json', does: 'List the clients that can get tokens as JSON' },
  ],
  async run({ usable }, deps) {
    const store = await deps.openReady();
    const clients = await listClients(store, deps.clock.now());
    const shown = usable ? clients.filter(({ state }) => state === 'active') : clients;
    const empty = 'No OAuth clients. Create one: hcd oauth client add website --scopes resources.read';
    return { kind: 'list', columns, spare, marks, rows: shown.map(clientRecord), empty };
  },
});
