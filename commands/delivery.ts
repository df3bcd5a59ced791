/** `hcd delivery`: deliveries of webhooks. */

import { choiceValue, integerValue, timeValue } from '../src/config/value-type.js';
import { isoTimeOfMs } from '../src/values/dates.js';
import { countOf } from '../src/values/text.js';
import {
  type AttemptView,
  countPrunableDeliveries,
  countReplay,
  type DeliveryView,
  listDeliveries,
  pruneDeliveries,
  replayDeliveries,
  retryDelivery,
  showDelivery,
} from '../src/webhooks/administration/deliveries.js';
import { defineSiteCommand, recordOf } from './command.js';
import { defaultRows, idValue, optional, required, rowParameters, toggle } from './parameters.js';
import { eventValue, offerEvents } from './webhook/shared.js';

const deliveryParameter = required(idValue, 'Id of the delivery (see hcd delivery list)', { placeholder: 'ID' });

export function deliveryRecord(delivery: DeliveryView) {
  return {
    ...recordOf(delivery, ['id', 'subscriptionId', 'eventId', 'event', 'revision', 'url', 'status', 'attempts']),
    next_attempt_on: isoTimeOfMs(delivery.visibleAt),
    ...recordOf(delivery, ['claimedBy', 'lastStatus', 'lastError', 'createdOn', 'doneOn']),
  };
}

function attemptRecord(attempt: AttemptView) {
  return {
    ...recordOf(attempt, ['number', 'outcome', 'status', 'error', 'answer', 'startedOn']),
    duration_ms: attempt.endedOn - attempt.startedOn,
  };
}

export const commands = {
  list: defineSiteCommand({
    description:
      'Lists deliveries, newest first: event, subscription, status, attempts, when the next attempt is due or when the delivery finished, and the last error. Statuses: pending (waiting for an attempt), delivering (a worker is sending it), delivered, failed (no attempts left), cancelled (its subscription was disabled or removed). Finished deliveries are removed after gateway_webhook_retention_days.',
    options: {
      status: optional(
        choiceValue(['pending', 'delivering', 'delivered', 'failed', 'cancelled']),
        'Show only deliveries with this status',
      ),
      webhook: optional(idValue, 'Show only deliveries to this subscription', { placeholder: 'ID' }),
      event: optional(eventValue, 'Show only deliveries of this event', {
        suggestions: ['resources.created', 'resources.updated', 'resources.deleted', 'webhook.test'],
      }),
      ...rowParameters,
      limit: optional(integerValue({ min: 1, max: 10_000 }), 'Maximum number of rows (default: 50)'),
    },
    offers: { event: async (deps) => [...(await offerEvents(deps)).filter((one) => one !== '*'), 'webhook.test'] },
    examples: {
      'delivery list --status failed --webhook 3': 'Show failed deliveries to one subscription',
      'delivery list --status pending --json': 'List waiting deliveries as JSON',
    },
    async run(options, deps) {
      const { status = null, webhook = null, event, limit = defaultRows, offset = 0 } = options;
      const filter = { status, subscriptionId: webhook, ...(event === undefined ? {} : { event }) };
      const { deliveries, total } = await listDeliveries(deps.store, { filter, limit, offset });
      return {
        kind: 'list',
        columns: ['id', 'event', 'subscription_id', 'status', 'attempts', 'next_attempt_on', 'done_on', 'last_error'],
        rows: deliveries.map(deliveryRecord),
        total,
        empty: 'No matching deliveries.',
      };
    },
  }),

  show: defineSiteCommand({
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
  }),

  retry: defineSiteCommand({
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
  }),

  replay: defineSiteCommand({
    description:
      'Queues failed and cancelled deliveries again that were created at the given time or later. hcd worker sends them with the current URL and secret of their subscription; events keep their ids. Deliveries to inactive and removed subscriptions are not sent. Asks for confirmation on a terminal, unless --yes is given.',
    options: {
      since: required(timeValue, 'Send deliveries created at this time or later'),
      webhook: optional(idValue, 'Send only deliveries to this subscription', { placeholder: 'ID' }),
      withDelivered: toggle('Also send deliveries that succeeded, for a receiver that lost its data'),
    },
    examples: {
      'delivery replay --since 2026-11-21T08:00:00Z --webhook 3': 'Send what one subscription missed during an outage',
      'delivery replay --since 2026-11-21 --with-delivered --yes':
        'Send everything since a date again, without confirmation',
    },
    async run({ since, webhook, withDelivered }, deps) {
      const request = { since: since * 1000, subscriptionId: webhook ?? null, withDelivered };
      await deps.confirm(async () => {
        const count = await countReplay(deps.store, request);
        const what = countOf(count, 'delivery', 'deliveries');
        return count === 0 ? null : `Send ${what} again that were created since ${isoTimeOfMs(request.since)}?`;
      });
      const queued = await replayDeliveries(deps.store, request);
      const next = queued === 0 ? '' : ' Send them now: hcd worker --once';
      return { kind: 'done', message: `Queued deliveries: ${queued}.${next}`, data: { queued } };
    },
  }),

  prune: defineSiteCommand({
    description:
      'Removes deliveries that finished (delivered, failed or cancelled) more than --days ago, with their attempts, and prints how many. Waiting deliveries are never removed. The worker does the same with gateway_webhook_retention_days.',
    options: {
      days: optional(
        integerValue({ min: 0, max: 36_500 }),
        'Days since a delivery finished (default: gateway_webhook_retention_days)',
      ),
    },
    examples: {
      'delivery prune': 'Remove deliveries that are older than the setting allows',
      'delivery prune --days 7 --yes': 'Keep the last 7 days, without confirmation',
    },
    destructive: {},
    async run({ days: given }, deps) {
      const days = given ?? (await deps.settings('gateway')).gateway_webhook_retention_days;
      const age = countOf(days, 'day');
      await deps.confirm(async () => {
        const count = await countPrunableDeliveries(deps.store, days);
        const what = countOf(count, 'delivery', 'deliveries');
        return count === 0 ? null : `Remove ${what} that finished more than ${age} ago?`;
      });
      const removed = await pruneDeliveries(deps.store, days);
      const message = `Removed deliveries that finished more than ${age} ago: ${removed}.`;
      return { kind: 'done', message, data: { removed, days } };
    },
  }),
};

/** `2026-11-21T09:30:00Z 12 ms server_error HTTP 500: try later`. */
function attemptText({ startedOn, endedOn, outcome, error, status, answer }: AttemptView): string {
  const told = error ?? (status === null ? '' : `HTTP ${status}`);
  return `${isoTimeOfMs(startedOn)} ${endedOn - startedOn} ms ${outcome} ${told}${answer === null ? '' : `: ${answer}`}`.trim();
}
