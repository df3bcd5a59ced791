/** `hcd delivery retry ID`: one delivery is sent again now. */
import { retryDelivery } from '../../src/webhooks/administration/requeue-deliveries.js';
import { defineCommand } from '../command.js';
import { openReady } from '../store/open-ready.js';
import { deliveryRecord } from './delivery-record.js';
import { deliveryParameter } from './parameters.js';

export const command = defineCommand({
  path: 'delivery retry',
  summary: 'Send a delivery again',
  description:
    'Has one delivery sent now: one that waits without further delay, a finished one anew, with the address and the secret that its subscription has now and with all its attempts. The event keeps its id, by which a receiver recognises a repetition. Refused while it is under way, and when its subscription is inactive or was removed. It is sent by hcd worker.',
  arguments: { id: deliveryParameter },
  options: {},
  examples: [
    { line: 'delivery retry 17', does: 'Send a delivery again that was given up' },
    { line: 'delivery retry 17 --json', does: 'The same, from a script' },
  ],
  async run({ id }, deps) {
    const delivery = await retryDelivery(await openReady(deps), id);
    const message = `Queued delivery ${id} (${delivery.event}) for ${delivery.url}. A worker sends it: hcd worker, or hcd worker --once`;
    return { kind: 'done', message, data: deliveryRecord(delivery) };
  },
});
