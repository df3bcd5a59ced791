/** `hcd key revoke ID`: revokes an API key. */
import { type KeyView, loadKey, revokeKey } from '../../src/identity/keys/manage-keys.js';
import { defineCommand } from '../command.js';
import { confirmChange } from '../confirm.js';
import type { Deps } from '../deps.js';
import { isoTime } from '../result.js';
import { keyParameter, keyRecord } from './shared.js';

export const command = defineCommand({
  path: 'key revoke',
  summary: 'Revoke an API key',
  description:
    'Revokes a key permanently. Every server refuses it within one second, with 401 invalid_token. A revoked key stays in the list and cannot be restored.',
  arguments: { id: keyParameter },
  options: {},
  examples: [
    { line: 'key revoke 3', does: 'Revoke the key with id 3' },
    { line: 'key revoke 5f0c1f9e8d7a6b43 --yes', does: 'Revoke a leaked key by its lookup id' },
  ],
  destructive: {},
  async run({ id }, deps) {
    const store = await deps.openReady();
    if (deps.prompt.isInteractive) await confirm(deps, await loadKey(store, id, deps.clock.now()));
    const { key, wasRevoked } = await revokeKey(store, id, deps.clock.now());
    const message = wasRevoked
      ? `Already revoked at ${isoTime(key.revokedOn)}: ${title(key)}. Nothing to do.`
      : `Revoked ${title(key)}. Servers refuse it within one second.`;
    return { kind: 'done', message, data: keyRecord(key) };
  },
});

async function confirm(deps: Deps, key: KeyView): Promise<void> {
  if (key.state === 'revoked') return;
  const used = key.lastUsedOn === null ? 'never used' : `last used ${isoTime(key.lastUsedOn)}`;
  await confirmChange(deps, `Revoke ${title(key)} (${used}) permanently?`);
}

function title({ id, name, lookupId }: KeyView): string {
  return `key ${id}${name === null ? '' : ` "${name}"`} (${lookupId})`;
}
