/** Reads deliveries for `hcd delivery list`. */
import { type DeliveryStatus, listDeliveries } from '../../src/webhooks/delivery-view.js';
import type { Deps } from '../deps.js';
import type { ListResult } from '../result.js';
import { openReady } from '../store/open-ready.js';
import { deliveryRecord } from './delivery-record.js';

const columns = ['id', 'event', 'subscription_id', 'status', 'attempts', 'next_attempt_on', 'done_on', 'last_error'];
const defaultLimit = 50;

export interface ListOptions {
  readonly status: DeliveryStatus | undefined;
  readonly webhook: number | undefined;
  readonly event: string | undefined;
  readonly limit: number | undefined;
  readonly offset: number | undefined;
}

export async function runList(options: ListOptions, deps: Deps): Promise<ListResult> {
  const { status = null, webhook = null, event, limit = defaultLimit, offset = 0 } = options;
  const store = await openReady(deps);
  const filter = { status, subscriptionId: webhook, ...(event === undefined ? {} : { event }) };
  const { deliveries, total } = await listDeliveries(store, { filter, limit, offset });
  return { kind: 'list', columns, rows: deliveries.map(deliveryRecord), total, empty: 'No delivery fits.' };
}
