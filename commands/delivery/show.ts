/** `hcd delivery show ID`: one delivery with its attempts and payload. */
import { type AttemptView, showDelivery } from '../../src/webhooks/administration/deliveries.js';
import { defineCommand } from '../command.js';
import { isoTime, type JsonRecord } from '../result.js';
import { attemptRecord, deliveryParameter, deliveryRecord } from './shared.js';

export const command = defineCommand({
  path: 'delivery show',
  summary: 'Show a delivery, its attempts and its payload',
  description:
    'Shows a delivery: status, URL, when the next attempt is due, every attempt with its status, and the exact body that is sent. With gateway_webhook_keep_answers each attempt also has the first characters of the answer. A delivery that was queued again counts its attempts from 1.',
  arguments: { id: deliveryParameter },
  options: {},
  examples: [
    { line: 'delivery show 17', does: 'Show why a delivery fails' },
    { line: 'delivery show 17 --json', does: 'Show a delivery with its attempts as JSON' },
  ],
  async run({ id }, deps) {
    const store = await deps.openReady();
    const delivery = await showDelivery(store, id);
    const record = deliveryRecord(delivery);
    const attempts = delivery.attemptList.map(attemptRecord);
    if (deps.flags.json) return { kind: 'record', record: { ...record, attempt_list: attempts, body: delivery.body } };
    const shown: JsonRecord = {
      ...record,
      ...Object.fromEntries(delivery.attemptList.map((attempt, at) => [`attempt ${at + 1}`, attemptText(attempt)])),
      body: delivery.body,
    };
    return { kind: 'record', record: shown };
  },
});

/** `2026-11-21T09:30:00Z 12 ms server_error HTTP 500: try later`. */
function attemptText({ startedOn, endedOn, outcome, error, status, answer }: AttemptView): string {
  const told = error ?? (status === null ? '' : `HTTP ${status}`);
  return `${isoTime(startedOn)} ${endedOn - startedOn} ms ${outcome} ${told}${answer === null ? '' : `: ${answer}`}`.trim();
}
