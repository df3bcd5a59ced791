/** `hcd delivery list`: the outbox. */
import { choiceValue, integerValue, textValue } from '../../src/config/value-type.js';
import type { DeliveryStatus } from '../../src/webhooks/delivery-view.js';
import { defineCommand } from '../command.js';
import { optional } from '../parameters.js';

const statuses = [
  'pending',
  'delivering',
  'delivered',
  'failed',
  'cancelled',
] as const satisfies readonly DeliveryStatus[];

export const command = defineCommand({
  path: 'delivery list',
  summary: 'List deliveries of webhooks',
  description:
    'Lists deliveries, the newest first: event, subscription, status, attempts, when the next attempt is due or when it was finished, and the last error. Statuses: pending (waits, for the first time or for a repetition), delivering (a worker has it), delivered, failed (given up), cancelled (its subscription was disabled or removed). Finished ones are removed after gateway_webhook_retention_days.',
  arguments: {},
  options: {
    status: optional(choiceValue(statuses), { placeholder: 'STATUS', description: 'Only deliveries with this status' }),
    webhook: optional(integerValue({ min: 1, max: 2 ** 32 - 1 }), {
      placeholder: 'ID',
      description: 'Only deliveries of this subscription',
    }),
    event: optional(textValue({ accepts: 'an event such as resources.updated', pattern: /^[^\s,]{1,128}$/ }), {
      placeholder: 'EVENT',
      description: 'Only deliveries of this event',
      suggestions: ['resources.created', 'resources.updated', 'resources.deleted', 'webhook.test'],
    }),
    limit: optional(integerValue({ min: 1, max: 10_000 }), {
      placeholder: 'N',
      description: 'Rows at most; 50 by default',
    }),
    offset: optional(integerValue({ min: 0, max: 1_000_000_000 }), {
      placeholder: 'N',
      description: 'Rows to leave out first',
    }),
  },
  examples: [
    { line: 'delivery list --status failed --webhook 3', does: 'Show what was given up for one receiver' },
    { line: 'delivery list --status pending --json', does: 'Read what waits, for a script' },
  ],
  // Loaded when it runs: the database layer takes longer to load than most commands take to run.
  run: async (options, deps) => (await import('./run-list.js')).runList(options, deps),
});
