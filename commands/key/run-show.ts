/** Reads one key for `hcd key show`. */
import { type ApiKeySelector, loadKey } from '../../src/identity/keys/key-view.js';
import type { Deps } from '../deps.js';
import type { RecordResult } from '../result.js';
import { openReady } from '../store/open-ready.js';
import { keyRecord } from './key-record.js';

export async function runShow({ id }: { readonly id: ApiKeySelector }, deps: Deps): Promise<RecordResult> {
  const store = await openReady(deps);
  return { kind: 'record', record: keyRecord(await loadKey(store, id, deps.clock.now())) };
}
