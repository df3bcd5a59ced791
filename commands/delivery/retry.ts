/** `hcd delivery retry`: send a delivery again. */
import { retryDelivery } from '../../src/webhooks/administration/deliveries.js';
import { defineSiteCommand } from '../command.js';
import { deliveryParameter, deliveryRecord } from './shared.js';

export const command = defineSiteCommand({
  description:
    'Queues a delivery to be sent now by hcd worker. A waiting delivery is sent without further delay. A finished delivery is sent again with the current URL and secret of its subscription, and gets all its attempts again. The event keeps its id, so a receiver recognises the repetition. Refused while the delivery is being sent, and when its subscription is inactive or removed.',
  arguments: { id: deliveryParameter },
  examples: {
    'delivery retry 17': 'Send a failed delivery again',
    'delivery retry 17 --json': 'Send a delivery again and print it as JSON',
  },
  async run({ id }, deps) {
    const delivery = await retryDelivery(deps.store, id);
    const message = `Queued delivery ${id} (${delivery.event}) for ${delivery.url}. Send it now: hcd worker --once`;
    return { kind: 'done', message, data: deliveryRecord(delivery) };
  },
});
