/** `hcd key list`: the API keys of the gateway. */
import { type KeyState, listKeys } from '../../src/identity/keys/key-view.js';
import { defineCommand } from '../command.js';
import { toggle } from '../parameters.js';
import type { Marks } from '../result.js';
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

export const command = defineCommand({
  path: 'key list',
  summary: 'List API keys with their state',
  description:
    'Lists every API key with scopes, state, end and last use; never a secret. States: active, expires_soon (within 14 days), expired, revoked, and user_inactive for a key whose user was deactivated, blocked or removed. rate_limit_max and rate_limit_window (seconds) are empty where the settings of the gateway decide. The last use is written at most once a minute. previous_ends_on is the time until which the secret before a rotation works too. A narrow terminal shows fewer columns and says which are missing.',
  arguments: {},
  options: { usable: toggle('Only keys that work now') },
  examples: [
    { line: 'key list', does: 'Show all keys' },
    { line: 'key list --usable --json', does: 'Read the keys that work, for a script' },
  ],
  async run({ usable }, deps) {
    const store = await openReady(deps);
    const keys = await listKeys(store, deps.clock.now());
    const shown = usable ? keys.filter(({ state }) => working.includes(state)) : keys;
    const empty = 'There is no key. Make one: hcd key create --scopes resources.read';
    return { kind: 'list', columns, spare, marks, rows: shown.map(keyRecord), empty };
  },
});
