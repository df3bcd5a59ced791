/** `hcd key show ID`: one API key of the gateway. */
import { loadKey } from '../../src/identity/keys/manage-keys.js';
import { defineCommand } from '../command.js';
import { keyParameter, keyRecord } from './shared.js';

export const command = defineCommand({
  path: 'key show',
  summary: 'Show an API key',
  description:
    'Shows an API key: name, scopes, state, user, and when it was created, rotated, used and revoked. rate_limit_max and rate_limit_window (seconds) are empty when the settings of the gateway apply. previous_ends_on is when the secret before the last rotation stops working. The secret itself is not stored.',
  arguments: { id: keyParameter },
  options: {},
  examples: [
    { line: 'key show 3', does: 'Show the key with id 3' },
    { line: 'key show 5f0c1f9e8d7a6b43 --json', does: 'Show the key that a log line names, as JSON' },
  ],
  async run({ id }, deps) {
    const store = await deps.openReady();
    return { kind: 'record', record: keyRecord(await loadKey(store, id, deps.clock.now())) };
  },
});
