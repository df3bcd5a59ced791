/** `hcd key revoke`: revoke an API key. */
import { type KeyView, loadKey, revokeKey } from '../../src/identity/keys/manage-keys.js';
import { defineSiteCommand, isoTime } from '../command.js';
import { keyParameter, keyRecord } from './shared.js';

export const command = defineSiteCommand({
  description:
    'Revokes a key permanently. Every server refuses it within one second, with 401 invalid_token. A revoked key stays in the list and cannot be restored.',
  arguments: { id: keyParameter },
  examples: {
    'key revoke 3': 'Revoke the key with id 3',
    'key revoke 5f0c1f9e8d7a6b43 --yes': 'Revoke a leaked key by its lookup id',
  },
  destructive: {},
  async run({ id }, deps) {
    const now = deps.clock.now();
    await deps.confirm(async () => {
      const key = await loadKey(deps.store, id, now);
      const used = key.lastUsedOn === null ? 'never used' : `last used ${isoTime(key.lastUsedOn)}`;
      return key.state === 'revoked' ? null : `Revoke ${title(key)} (${used}) permanently?`;
    });
    const { key, wasRevoked } = await revokeKey(deps.store, id, now);
    const message = wasRevoked
      ? `Already revoked at ${isoTime(key.revokedOn)}: ${title(key)}. Nothing to do.`
      : `Revoked ${title(key)}. Servers refuse it within one second.`;
    return { kind: 'done', message, data: keyRecord(key) };
  },
});

function title({ id, name, lookupId }: KeyView): string {
  return `key ${id}${name === null ? '' : ` "${name}"`} (${lookupId})`;
}
