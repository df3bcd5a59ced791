/** `hcd key list`: list API keys. */
import { listKeys } from '../../src/identity/keys/manage-keys.js';
import { defineSiteCommand } from '../command.js';
import { toggle } from '../parameters.js';
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

export const command = defineSiteCommand({
  description:
    'Lists all API keys with their scopes, state, expiry and last use. Secrets are never shown. States: active, expires_soon (within 14 days), expired, revoked, and user_inactive (the user of the key was deactivated, blocked or removed). rate_limit_max and rate_limit_window (seconds) are empty when the settings of the gateway apply. The last use is recorded at most once a minute. previous_ends_on is when the secret before the last rotation stops working. A narrow terminal shows fewer columns and names the missing ones.',
  options: { usable: toggle('Show only keys that work now') },
  examples: {
    'key list': 'List all keys',
    'key list --usable --json': 'List the keys that work as JSON',
  },
  async run({ usable }, deps) {
    const keys = await listKeys(deps.store, deps.clock.now());
    const shown = usable ? keys.filter(({ state }) => state === 'active' || state === 'expires_soon') : keys;
    return {
      kind: 'list',
      columns,
      spare: ['rate_limit_window', 'rate_limit_max', 'lookup_id', 'user', 'previous_ends_on'],
      marks: { state: { expires_soon: 'warning', user_inactive: 'warning', expired: 'past', revoked: 'past' } },
      rows: shown.map(keyRecord),
      empty: 'No API keys. Create one: hcd key create --scopes resources.read',
    };
  },
});
