/** Ends a key for `hcd key revoke`. */
import { type ApiKeySelector, type KeyView, loadKey } from '../../src/identity/keys/key-view.js';
import { revokeKey } from '../../src/identity/keys/revoke-key.js';
import { confirmChange } from '../confirm.js';
import type { Deps } from '../deps.js';
import type { DoneResult } from '../result.js';
import { openReady } from '../store/open-ready.js';
import { isoTime, keyRecord } from './key-record.js';

export async function runRevoke({ id }: { readonly id: ApiKeySelector }, deps: Deps): Promise<DoneResult> {
  const store = await openReady(deps);
  if (deps.prompt.isInteractive) await confirm(deps, await loadKey(store, id, deps.clock.now()));
  const { key, wasRevoked } = await revokeKey(store, id, deps.clock.now());
  const message = wasRevoked
    ? `Nothing to do: ${title(key)} was revoked at ${isoTime(key.revokedOn)}.`
    : `Revoked ${title(key)}. Servers refuse it within one second.`;
  return { kind: 'done', message, data: keyRecord(key) };
}

async function confirm(deps: Deps, key: KeyView): Promise<void> {
  if (key.state === 'revoked') return;
  const used = key.lastUsedOn === null ? 'never used' : `last used ${isoTime(key.lastUsedOn)}`;
  await confirmChange(deps, `Revoke ${title(key)} (${used}) for good?`);
}

function title({ id, name, lookupId }: KeyView): string {
  return `key ${id}${name === null ? '' : ` "${name}"`} (${lookupId})`;
}
