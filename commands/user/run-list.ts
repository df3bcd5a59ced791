/** Reads users for `hcd user list`. */
import { readRuntimeSettings } from '../../src/content/settings/runtime-settings.js';
import { listUsers } from '../../src/identity/users/user-view.js';
import type { Deps } from '../deps.js';
import type { ListResult, Marks } from '../result.js';
import { openReady } from '../store/open-ready.js';
import { userRecord } from './user-record.js';

const columns = ['id', 'username', 'state', 'sudo', 'groups', 'permissions', 'last_login_on'];
const spare = ['groups'];
const marks: Marks = { state: { inactive: 'past', blocked: 'past' } };

export async function runList({ usable }: { readonly usable: boolean }, deps: Deps): Promise<ListResult> {
  const store = await openReady(deps);
  const { values } = await readRuntimeSettings(store, deps.env);
  const users = await listUsers(store, { context: values.gateway_context, now: deps.clock.now() });
  const shown = usable ? users.filter(({ state }) => state === 'active') : users;
  const empty = 'There is no user. Make one: hcd user add admin --sudo';
  return { kind: 'list', columns, spare, marks, rows: shown.map(userRecord), empty };
}
