/** `hcd key list`: the API keys of the gateway. */
import { type KeyView, listKeys } from '../../src/identity/keys/manage-keys.js';
import { defineCommand } from '../command.js';
import { toggle } from '../parameters.js';
import type { Marks } from '../result.js';
import { keyRecord } from './shared.js';

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

const working: readonly KeyView['state'][] = ['active', 'expires_soon'];

export const command = defineCommand({
  path: 'key list',
  summary: 'List API keys',
  description:
    'Lists all API keys with their scopes, state, expiry and last use. Secrets are never shown. States: active, expires_soon (within 14 days), expired, revoked, and user_inactive (the user of the key was deactivated, blocked or removed). rate_limit_max and rate_limit_window (seconds) are empty when the settings of the gateway apply. The last use is recorded at most once a minute. previous_ends_on is when the secret before the last rotation stops working. A narrow terminal shows fewer columns and names the missing ones.',
  arguments: {},
  options: { usable: toggle('Show only keys that work now') },
  examples: [
    { line: 'key list', does: 'List all keys' },
    { line: 'key list --usable --json', does: 'List the keys that work as JSON' },
  ],
  async run({ usable }, deps) {
    const store = await deps.openReady();
    const keys = await listKeys(store, deps.clock.now());
    const shown = usable ? keys.filter(({ state }) => working.includes(state)) : keys;
    const empty = 'No API keys. Create one: hcd key create --scopes resources.read';
    return { kind: 'list', columns, spare, marks, rows: shown.map(keyRecord), empty };
  },
});
