/** Reads one delivery for `hcd delivery show`. */
import { type AttemptView, showDelivery } from '../../src/webhooks/delivery-view.js';
import type { Deps } from '../deps.js';
import { isoTime } from '../key/key-record.js';
import type { JsonRecord, RecordResult } from '../result.js';
import { openReady } from '../store/open-ready.js';
import { attemptRecord, deliveryRecord } from './delivery-record.js';

export async function runShow({ id }: { readonly id: number }, deps: Deps): Promise<RecordResult> {
  const store = await openReady(deps);
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
}

/** `2026-11-21T09:30:00Z 12 ms server_error HTTP 500: try later`. */
function attemptText({ startedOn, endedOn, outcome, error, status, answer }: AttemptView): string {
  const told = error ?? (status === null ? '' : `HTTP ${status}`);
  return `${isoTime(startedOn)} ${endedOn - startedOn} ms ${outcome} ${told}${answer === null ? '' : `: ${answer}`}`.trim();
}
