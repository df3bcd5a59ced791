/** `hcd oauth client list`: the OAuth clients of the gateway. */
import { listClients } from '../../../src/identity/oauth/client-view.js';
import { defineCommand } from '../../command.js';
import { toggle } from '../../parameters.js';
import type { Marks } from '../../result.js';
import { openReady } from '../../store/open-ready.js';
import { clientRecord } from '../oauth-record.js';

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
  summary: 'List OAuth clients with their state',
  description:
    'Lists every OAuth client with scopes, grants, state the number of its tokens that work now, and when it last got one; never a secret. A revoked client stays in the list and gets no new token. previous_ends_on is the time until which the secret before a rotation works too. A narrow terminal shows fewer columns and says which are missing.',
  arguments: {},
  options: { usable: toggle('Only clients that may get tokens') },
  examples: [
    { line: 'oauth client list', does: 'Show all clients' },
    { line: 'oauth client list --usable --json', does: 'Read the clients that work, for a script' },
  ],
  async run({ usable }, deps) {
    const store = await openReady(deps);
    const clients = await listClients(store, deps.clock.now());
    const shown = usable ? clients.filter(({ state }) => state === 'active') : clients;
    const empty = 'There is no OAuth client. Make one: hcd oauth client add website --scopes resources.read';
    return { kind: 'list', columns, spare, marks, rows: shown.map(clientRecord), empty };
  },
});
