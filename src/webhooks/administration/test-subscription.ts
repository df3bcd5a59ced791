/** Queues a test event for one subscription, whatever events it lists. */
import { randomId } from '../../crypto/random.js';
import { AppError } from '../../errors/app-error.js';
import type { Store } from '../../store/open/open.js';
import { enqueue } from '../queue/enqueue.js';
import { findDelivery } from '../rows/webhook-deliveries.js';
import { type DeliveryView, loadDelivery } from './delivery-view.js';
import { loadSubscriptionRow } from './subscription-view.js';

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
