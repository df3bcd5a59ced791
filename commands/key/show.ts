/** `hcd key show`: show an API key. */
import { loadKey } from '../../src/identity/keys/manage-keys.js';
import { defineSiteCommand } from '../command.js';
import { keyParameter, keyRecord } from './shared.js';

export const command = defineSiteCommand({
  description:
    'Shows an API key: name, scopes, state, user, and when it was created, rotated, used and revoked. rate_limit_max and rate_limit_window (seconds) are empty when the settings of the gateway apply. previous_ends_on is when the secret before the last rotation stops working. The secret itself is not stored.',
  arguments: { id: keyParameter },
  examples: {
    'key show 3': 'Show the key with id 3',
    'key show 5f0c1f9e8d7a6b43 --json': 'Show the key that a log line names, as JSON',
  },
  async run({ id }, deps) {
    return { kind: 'record', record: keyRecord(await loadKey(deps.store, id, deps.clock.now())) };
  },
});
