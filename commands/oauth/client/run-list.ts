/** Reads clients for `hcd oauth client list`. */
import { listClients } from '../../../src/identity/oauth/client-view.js';
import type { Deps } from '../../deps.js';
import type { ListResult, Marks } from '../../result.js';
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

export async function runList({ usable }: { readonly usable: boolean }, deps: Deps): Promise<ListResult> {
  const store = await openReady(deps);
  const clients = await listClients(store, deps.clock.now());
  const shown = usable ? clients.filter(({ state }) => state === 'active') : clients;
  const empty = 'There is no OAuth client. Make one: hcd oauth client add website --scopes resources.read';
  return { kind: 'list', columns, spare, marks, rows: shown.map(clientRecord), empty };
}
