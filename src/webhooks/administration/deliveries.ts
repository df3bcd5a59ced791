/** Deliveries of webhooks as people look at them. */

import { randomId } from '../../crypto/random.js';
import { AppError } from '../../errors/app-error.js';
import type { Store } from '../../store/open/open.js';
import { enqueue } from '../queue/enqueue.js';
import { type AttemptRow, readAttempts } from '../rows/webhook-attempts.js';
import {
  type DeliveryRow,
  type DeliveryStatus,
  findDelivery,
  readDelivery,
  readDeliveryBody,
} from '../rows/webhook-deliveries.js';
import { countDeliveries, readDeliveries } from '../rows/webhook-delivery-pages.js';
import { loadSubscriptionRow } from './show-subscriptions.js';

export type { DeliveryStatus } from '../rows/webhook-deliveries.js';
export { deliveryStatuses } from '../rows/webhook-deliveries.js';

export type DeliveryView = DeliveryRow;
export type AttemptView = Omit<AttemptRow, 'claim' | 'deliveryId'>;

export interface DeliveryDetails extends DeliveryView {
  /** The exact text that is sent. */
  readonly body: string;
  /** The oldest first. */
  readonly attemptList: readonly AttemptView[];
}

interface DeliveryPage {
  readonly deliveries: readonly DeliveryView[];
  /** Without the bounds of the page. */
  readonly total: number;
}

export interface DeliveryFilter {
  readonly status: DeliveryStatus | null;
  readonly subscriptionId: number | null;
  /** Absent = every event. */
  readonly event?: string;
}

/** The newest first. */
export async function listDeliveries(
  { own }: Store,
  { filter, ...page }: { readonly filter: DeliveryFilter; readonly limit: number; readonly offset: number },
): Promise<DeliveryPage> {
  const { status, ...others } = filter;
  const wanted = { ...others, statuses: status === null ? null : [status] };
  const [deliveries, total] = await Promise.all([
    readDeliveries(own.primary, { filter: wanted, ...page }),
    countDeliveries(own.primary, wanted),
  ]);
  return { deliveries, total };
}

/** Throws not_found. */
export async function loadDelivery({ own }: Store, id: number): Promise<DeliveryView> {
  const row = await readDelivery(own.primary, id);
  if (row === null) {
    throw new AppError('not_found', { message: `There is no delivery ${id}; hcd delivery list shows the latest` });
  }
  return row;
}

/** With body and attempts. Throws not_found. */
export async function showDelivery(store: Store, id: number): Promise<DeliveryDetails> {
  const row = await loadDelivery(store, id);
  const attempts = await readAttempts(store.own.primary, id);
  const body = (await readDeliveryBody(store.own.primary, id)) ?? '';
  return {
    ...row,
    body,
    attemptList: attempts.map(({ claim: _claim, deliveryId: _delivery, ...attempt }) => attempt),
  };
}

/** The delivery that a worker sends like any other. Throws not_found, and refused for an inactive subscription. */
export async function testSubscription(store: Store, id: number): Promise<DeliveryView> {
  const eventId = randomId();
  const queued = async (tx: Parameters<typeof findDelivery>[0]) =>
    (await findDelivery(tx, { subscriptionId: id, eventId })) ?? undefined;
  const deliveryId = await store.own.write(
    async (tx) => {
      const { active } = await loadSubscriptionRow(tx, id);
      if (!active) {
        throw new AppError('refused', {
          message: `The subscription ${id} is inactive; switch it on: hcd webhook enable ${id}`,
        });
      }
      const facts = { context: null, uri: null, parent: null, revalidate: [] };
      await enqueue(tx, { object: 'webhook', action: 'test', key: id, ...facts }, { eventId, onlyFor: id });
      return queued(tx);
    },
    { outcome: queued },
  );
  if (deliveryId === undefined) throw new AppError('internal_error');
  return loadDelivery(store, deliveryId);
}
