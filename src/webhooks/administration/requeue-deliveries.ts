/** Has deliveries sent again, one or many, and removes finished ones. */

import { AppError } from '../../errors/app-error.js';
import type { Reader } from '../../store/base/database.js';
import type { Store } from '../../store/open/open.js';
import { dayMs } from '../../values/dates.js';
import { countDoneDeliveries, hastenDelivery, requeueDeliveries } from '../rows/webhook-deliveries.js';
import { countOfActive, type DeliveryFilter, replayIds } from '../rows/webhook-delivery-pages.js';
import { readSubscription } from '../rows/webhook-subscriptions.js';
import { databaseClock, databaseTime } from '../rules/deciding-time.js';
import { removeFinished } from '../rules/retention.js';
import { type DeliveryView, loadDelivery } from './deliveries.js';
import { loadSubscriptionRow } from './show-subscriptions.js';

/** Deliveries of one transaction. */
const together = 500;

/**
 * Has one delivery sent now: one that waits without further delay, a finished one anew, with the address and secret that
 * its subscription has now. Throws not_found, and refused while it is under way or its subscription is inactive or gone.
 */
export async function retryDelivery(store: Store, id: number): Promise<DeliveryView> {
  const { status, subscriptionId } = await loadDelivery(store, id);
  if (status === 'delivering') throw refusal(`The delivery ${id} is under way`);
  const subscription = await readSubscription(store.own.primary, subscriptionId);
  if (subscription === null) throw refusal(`The subscription ${subscriptionId} of the delivery ${id} was removed`);
  if (!subscription.active) {
    throw refusal(`The subscription ${subscriptionId} is inactive; switch it on: hcd webhook enable ${subscriptionId}`);
  }
  const isQueued = await store.own.write(
    async (tx) => (await hastenDelivery(tx, id)) || (await requeueDeliveries(tx, [id])) > 0,
    { outcome: async () => undefined },
  );
  if (!isQueued) throw refusal(`The delivery ${id} changed at the same time; look at it again`);
  return loadDelivery(store, id);
}

export interface ReplayRequest {
  /** Deliveries of events from this time on, Unix milliseconds. */
  readonly since: number;
  /** Null = of every subscription. */
  readonly subscriptionId: number | null;
  /** Those that arrived as well, for a receiver that lost what it had. */
  readonly withDelivered: boolean;
}

/**
 * Queues finished deliveries anew; those of inactive or removed subscriptions stay as they are. Gives how many were queued.
 * Throws not_found for a subscription that does not exist.
 */
export async function replayDeliveries({ own }: Store, request: ReplayRequest): Promise<number> {
  const filter = await loadFilter(own.primary, request);
  let queued = 0;
  for await (const ids of replayIds(own.primary, { filter, limit: together })) {
    queued += await own.write((tx) => requeueDeliveries(tx, ids), { outcome: async () => undefined });
  }
  return queued;
}

/** How many deliveries `replayDeliveries` would queue now. Throws not_found for a subscription that does not exist. */
export async function countReplay({ own }: Store, request: ReplayRequest): Promise<number> {
  return countOfActive(own.primary, await loadFilter(own.primary, request));
}

async function loadFilter(
  reader: Reader,
  { since, subscriptionId, withDelivered }: ReplayRequest,
): Promise<DeliveryFilter> {
  if (subscriptionId !== null) await loadSubscriptionRow(reader, subscriptionId);
  const finished = ['failed', 'cancelled'] as const;
  return { since, subscriptionId, statuses: withDelivered ? [...finished, 'delivered'] : finished };
}

/** How many deliveries `pruneDeliveries` would remove now. */
export async function countPrunableDeliveries({ own }: Store, days: number): Promise<number> {
  return countDoneDeliveries(own.primary, (await databaseTime(own.primary)) - days * dayMs);
}

/** Removes deliveries that were finished so many days ago, with their attempts; gives how many there were. */
export function pruneDeliveries({ own }: Store, days: number): Promise<number> {
  return removeFinished({ own, time: databaseClock, days });
}

function refusal(message: string): AppError {
  return new AppError('refused', { message });
}
