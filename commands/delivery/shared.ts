/** What the commands for deliveries share: their argument, and deliveries as records with times as ISO 8601. */
import { integerValue } from '../../src/config/value-type.js';
import type { AttemptView, DeliveryView } from '../../src/webhooks/administration/deliveries.js';
import { required } from '../parameters.js';
import { isoTime, type JsonRecord } from '../result.js';

export const deliveryParameter = required(integerValue({ min: 1, max: 2 ** 32 - 1 }), {
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

export function attemptRecord(attempt: AttemptView): JsonRecord {
  return {
    number: attempt.number,
    outcome: attempt.outcome,
    status: attempt.status,
    error: attempt.error,
    answer: attempt.answer,
    started_on: isoTime(attempt.startedOn),
    duration_ms: attempt.endedOn - attempt.startedOn,
  };
}
