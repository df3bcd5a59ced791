/** Queues one delivery again for `hcd delivery retry`. */
import { retryDelivery } from '../../src/webhooks/requeue-deliveries.js';
import type { Deps } from '../deps.js';
import type { DoneResult } from '../result.js';
import { openReady } from '../store/open-ready.js';
import { deliveryRecord } from './delivery-record.js';

export async function runRetry({ id }: { readonly id: number }, deps: Deps): Promise<DoneResult> {
  const delivery = await retryDelivery(await openReady(deps), id);
  const message = `Queued delivery ${id} (${delivery.event}) for ${delivery.url}. A worker sends it: hcd worker, or hcd worker --once`;
  return { kind: 'done', message, data: deliveryRecord(delivery) };
}
