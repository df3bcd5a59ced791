/** What the log says of a settlement: one fact per attempt, and one for each receiver that people should look at. */
import type { Observation } from '../../log/observation.js';
import type { Notice } from './judge-receivers.js';
import type { Settled, Settlement } from './settle.js';

export function settlementFacts({ settled, notices }: Settlement): Observation[] {
  return [...settled.map(attemptFact), ...notices.map(noticeFact)];
}

function attemptFact({ ended: { delivery, attempt }, as }: Settled): Observation {
  return {
    kind: 'delivery_settled',
    deliveryId: delivery.id,
    subscriptionId: delivery.subscriptionId,
    event: delivery.event,
    attempt: delivery.attempts,
    outcome: attempt.outcome,
    result: as,
    status: attempt.status,
    durationMs: attempt.durationMs,
  };
}

function noticeFact(notice: Notice): Observation {
  const { subscriptionId } = notice;
  if (notice.kind === 'disabled') return { kind: 'webhook_disabled', subscriptionId, reason: notice.reason };
  const { failures, failingDays, daysLeft } = notice;
  return { kind: 'webhook_failing', subscriptionId, failures, failingDays, daysLeft };
}
