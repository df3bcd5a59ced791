/** Ends an API key for good: at once in this process and where the database tells of commits, else within a second. */

import { tellRevocation } from '../../memory/seen-memory.js';
import type { Store } from '../../store/open/open.js';
import { type ApiKeySelector, apiKeys } from '../models/api-keys.js';
import { type KeyView, loadKey } from './key-view.js';

export interface Revocation {
  readonly key: KeyView;
  /** It had been revoked before; its time stays as it was. */
  readonly wasRevoked: boolean;
}

/** Throws not_found. `now` is Unix milliseconds. */
export async function revokeKey(store: Store, selector: ApiKeySelector, now: number): Promise<Revocation> {
  const before = await loadKey(store, selector, now);
  // Revoking twice is harmless, so that work whose outcome is unknown may be repeated.
  const repeat = { outcome: async () => undefined };
  const where = { id: before.id, revokedOn: null };
  await store.own.write((tx) => apiKeys.on(tx).update({ revokedOn: now }, { where }), repeat);
  await tellRevocation(store.own);
  return { key: await loadKey(store, { id: before.id }, now), wasRevoked: before.state === 'revoked' };
}
