/** `hcd delivery list`: the webhook deliveries. */
import { choiceValue, integerValue, textValue } from '../../src/config/value-type.js';
import { type DeliveryStatus, listDeliveries } from '../../src/webhooks/administration/deliveries.js';
import { defineCommand } from '../command.js';
import { optional } from '../parameters.js';
import { deliveryRecord } from './shared.js';

const statuses = [
  'pending',
  'delivering',
  'delivered',
  'failed',
  'cancelled',
] as const satisfies readonly DeliveryStatus[];

const columns = ['id', 'event', 'subscription_id', 'status', 'attempts', 'next_attempt_on', 'done_on', 'last_error'];

const defaultLimit = 50;

export const command = defineCommand({
  path: 'delivery list',
  summary: 'List webhook deliveries',
  description:
    'Lists deliveries, newest first: event, subscription, status, attempts, when the next attempt is due or when the delivery finished, and the last error. Statuses: pending (waiting for an attempt), delivering (a worker is sending it), delivered, failed (no attempts left), cancelled (its subscription was disabled or removed). Finished deliveries are removed after gateway_webhook_retention_days.',
  arguments: {},
  options: {
    status: optional(choiceValue(statuses), {
      placeholder: 'STATUS',
      description: 'Show only deliveries with this status',
    }),
    webhook: optional(integerValue({ min: 1, max: 2 ** 32 - 1 }), {
      placeholder: 'ID',
      description: 'Show only deliveries to this subscription',
    }),
    event: optional(textValue({ accepts: 'an event such as resources.updated', pattern: /^[^\s,]{1,128}$/ }), {
      placeholder: 'EVENT',
      description: 'Show only deliveries of this event',
      suggestions: ['resources.created', 'resources.updated', 'resources.deleted', 'webhook.test'],
    }),
    limit: optional(integerValue({ min: 1, max: 10_000 }), {
      placeholder: 'N',
      description: 'Maximum number of rows (default: 50)',
    }),
    offset: optional(integerValue({ min: 0, max: 1_000_000_000 }), {
      placeholder: 'N',
      description: 'Number of rows to skip (default: 0)',
    }),
  },
  examples: [
    { line: 'delivery list --status failed --webhook 3', does: 'Show failed deliveries to one subscription' },
    { line: 'delivery list --status pending --json', does: 'List waiting deliveries as JSON' },
  ],
  async run(options, deps) {
    const { status = null, webhook = null, event, limit = defaultLimit, offset = 0 } = options;
    const store = await deps.openReady();
    const filter = { status, subscriptionId: webhook, ...(event === undefined ? {} : { event }) };
    const { deliveries, total } = await listDeliveries(store, { filter, limit, offset });
    return { kind: 'list', columns, rows: deliveries.map(deliveryRecord), total, empty: 'No matching deliveries.' };
  },
});
