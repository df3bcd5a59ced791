/** Reads one subscription for `hcd webhook show`. */
import { loadSubscription } from '../../src/webhooks/subscription-view.js';
import type { Deps } from '../deps.js';
import type { RecordResult } from '../result.js';
import { openReady } from '../store/open-ready.js';
import { describeSubscription } from './show-subscription.js';

export async function runShow({ id }: { readonly id: number }, deps: Deps): Promise<RecordResult> {
  const store = await openReady(deps);
  return { kind: 'record', record: await describeSubscription(await loadSubscription(store, id), { store, deps }) };
}
