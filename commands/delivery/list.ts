/** `hcd delivery list`: list webhook deliveries. */
import { choiceValue, integerValue, textValue } from '../../src/config/value-type.js';
import { listDeliveries } from '../../src/webhooks/administration/deliveries.js';
import { defineSiteCommand } from '../command.js';
import { defaultRows, idValue, optional, rowParameters } from '../parameters.js';
import { deliveryRecord } from './shared.js';

export const command = defineSiteCommand({
  description:
    'Lists deliveries, newest first: event, subscription, status, attempts, when the next attempt is due or when the delivery finished, and the last error. Statuses: pending (waiting for an attempt), delivering (a worker is sending it), delivered, failed (no attempts left), cancelled (its subscription was disabled or removed). Finished deliveries are removed after gateway_webhook_retention_days.',
  options: {
    status: optional(
      choiceValue(['pending', 'delivering', 'delivered', 'failed', 'cancelled']),
      'Show only deliveries with this status',
    ),
    webhook: optional(idValue, { placeholder: 'ID', description: 'Show only deliveries to this subscription' }),
    event: optional(textValue({ accepts: 'an event such as resources.updated', pattern: /^[^\s,]{1,128}$/ }), {
      description: 'Show only deliveries of this event',
      suggestions: ['resources.created', 'resources.updated', 'resources.deleted', 'webhook.test'],
    }),
    ...rowParameters,
    limit: optional(integerValue({ min: 1, max: 10_000 }), 'Maximum number of rows (default: 50)'),
  },
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
});
