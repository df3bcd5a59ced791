/** Reads one client for `hcd oauth client show`. */
import { loadClient } from '../../../src/identity/oauth/client-view.js';
import type { Deps } from '../../deps.js';
import type { RecordResult } from '../../result.js';
import { openReady } from '../../store/open-ready.js';
import { clientRecord } from '../oauth-record.js';

export async function runShow({ clientId }: { readonly clientId: string }, deps: Deps): Promise<RecordResult> {
  const store = await openReady(deps);
  return { kind: 'record', record: clientRecord(await loadClient(store, clientId, deps.clock.now())) };
}
