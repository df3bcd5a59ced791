/** `hcd delivery retry ID`: queues a delivery to be sent now. */
import { retryDelivery } from '../../src/webhooks/administration/requeue-deliveries.js';
import { defineCommand } from '../command.js';
import { deliveryParameter, deliveryRecord } from './shared.js';

export const command = defineCommand({
  path: 'delivery retry',
  summary: 'Send a delivery again',
  description:
    'Queues a delivery to be sent now by hcd worker. A waiting delivery is sent without further delay. A finished delivery is sent again with the current URL and secret of its subscription, and gets all its attempts again. The event keeps its id, so a receiver recognises the repetition. Refused while the delivery is being sent, and when its subscription is inactive or removed.',
  arguments: { id: deliveryParameter },
  options: {},
  examples: [
    { line: 'delivery retry 17', does: 'Send a failed delivery again' },
    { line: 'delivery retry 17 --json', does: 'Send a delivery again and print it as JSON' },
  ],
  async run({ id }, deps) {
    const delivery = await retryDelivery(await deps.openReady(), id);
    const message = `Queued delivery ${id} (${delivery.event}) for ${delivery.url}. Send it now: hcd worker --once`;
    return { kind: 'done', message, data: deliveryRecord(delivery) };
  },
});
