/** What the commands for deliveries of webhooks share. */
import type { DeliveryView } from '../../src/webhooks/administration/deliveries.js';
import { isoTime, type JsonRecord } from '../command.js';
import { idValue, required } from '../parameters.js';

export const deliveryParameter = required(idValue, {
  placeholder: 'ID',
  description: 'Id of the delivery (see hcd delivery list)',
});

export function deliveryRecord(delivery: DeliveryView): JsonRecord {
  return {
    id: delivery.id,
    subscription_id: delivery.subscriptionId,
    event_id: delivery.eventId,
    event: delivery.event,
    revision: delivery.revision,
    url: delivery.url,
    status: delivery.status,
    attempts: delivery.attempts,
    next_attempt_on: isoTime(delivery.visibleAt),
    claimed_by: delivery.claimedBy,
    last_status: delivery.lastStatus,
    last_error: delivery.lastError,
    created_on: isoTime(delivery.createdOn),
    done_on: isoTime(delivery.doneOn),
  };
}
