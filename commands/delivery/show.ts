/** `hcd delivery show`: show a delivery, its attempts and its payload. */
import { type AttemptView, showDelivery } from '../../src/webhooks/administration/deliveries.js';
import { defineSiteCommand, isoTime, type JsonRecord } from '../command.js';
import { deliveryParameter, deliveryRecord } from './shared.js';

function attemptRecord(attempt: AttemptView): JsonRecord {
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

export const command = defineSiteCommand({
  description:
    'Shows a delivery: status, URL, when the next attempt is due, every attempt with its status, and the exact body that is sent. With gateway_webhook_keep_answers each attempt also has the first characters of the answer. A delivery that was queued again counts its attempts from 1.',
  arguments: { id: deliveryParameter },
  examples: {
    'delivery show 17': 'Show why a delivery fails',
    'delivery show 17 --json': 'Show a delivery with its attempts as JSON',
  },
  async run({ id }, deps) {
    const delivery = await showDelivery(deps.store, id);
    const record = deliveryRecord(delivery);
    const attempts = deps.flags.json
      ? { attempt_list: delivery.attemptList.map(attemptRecord) }
      : Object.fromEntries(delivery.attemptList.map((attempt, at) => [`attempt ${at + 1}`, attemptText(attempt)]));
    return { kind: 'record', record: { ...record, ...attempts, body: delivery.body } };
  },
});

/** `2026-11-21T09:30:00Z 12 ms server_error HTTP 500: try later`. */
function attemptText({ startedOn, endedOn, outcome, error, status, answer }: AttemptView): string {
  const told = error ?? (status === null ? '' : `HTTP ${status}`);
  return `${isoTime(startedOn)} ${endedOn - startedOn} ms ${outcome} ${told}${answer === null ? '' : `: ${answer}`}`.trim();
}
