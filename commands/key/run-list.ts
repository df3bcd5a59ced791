/** Reads keys for `hcd key list`. */
import { type KeyState, listKeys } from '../../src/identity/keys/key-view.js';
import type { Deps } from '../deps.js';
import type { ListResult, Marks } from '../result.js';
import { openReady } from '../store/open-ready.js';
import { keyRecord } from './key-record.js';

const columns = [
  'id',
  'name',
  'lookup_id',
  'scopes',
  'state',
  'user',
  'expires_on',
  'last_used_on',
  'rate_limit_max',
  'rate_limit_window',
  'previous_ends_on',
];
const spare = ['rate_limit_window', 'rate_limit_max', 'lookup_id', 'user', 'previous_ends_on'];
const marks: Marks = {
  state: { expires_soon: 'warning', user_inactive: 'warning', expired: 'past', revoked: 'past' },
};
const working: readonly KeyState[] = ['active', 'expires_soon'];

export async function runList({ usable }: { readonly usable: boolean }, deps: Deps): Promise<ListResult> {
  const store = await openReady(deps);
  const keys = await listKeys(store, deps.clock.now());
  const shown = usable ? keys.filter(({ state }) => working.includes(state)) : keys;
  const empty = 'There is no key. Make one: hcd key create --scopes resources.read';
  return { kind: 'list', columns, spare, marks, rows: shown.map(keyRecord), empty };
}
