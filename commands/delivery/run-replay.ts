/** Queues deliveries again for `hcd delivery replay`. */

import type { Store } from '../../src/store/open/open.js';
import { countReplay, type ReplayRequest, replayDeliveries } from '../../src/webhooks/requeue-deliveries.js';
import { confirmChange } from '../confirm.js';
import type { Deps } from '../deps.js';
import { isoTime } from '../key/key-record.js';
import type { DoneResult } from '../result.js';
import { openReady } from '../store/open-ready.js';

export interface ReplayOptions {
  /** Unix seconds. */
  readonly since: number;
  readonly webhook: number | undefined;
  readonly withDelivered: boolean;
}

export async function runReplay({ since, webhook, withDelivered }: ReplayOptions, deps: Deps): Promise<DoneResult> {
  const store = await openReady(deps);
  const request = { since: since * 1000, subscriptionId: webhook ?? null, withDelivered };
  await confirm(deps, { store, request });
  const queued = await replayDeliveries(store, request);
  const next = queued === 0 ? '' : ' A worker sends them: hcd worker, or hcd worker --once';
  return { kind: 'done', message: `Queued deliveries again: ${queued}.${next}`, data: { queued } };
}

async function confirm(
  deps: Deps,
  { store, request }: { readonly store: Store; readonly request: ReplayRequest },
): Promise<void> {
  if (!deps.prompt.isInteractive) return;
  const count = await countReplay(store, request);
  if (count === 0) return;
  const what = count === 1 ? '1 delivery' : `${count} deliveries`;
  await confirmChange(deps, `Send ${what} since ${isoTime(request.since)} again?`);
}
