/** `hcd delivery prune`: remove old finished deliveries. */
import { integerValue } from '../../src/config/value-type.js';
import { countPrunableDeliveries, pruneDeliveries } from '../../src/webhooks/administration/deliveries.js';
import { defineSiteCommand } from '../command.js';
import { optional } from '../parameters.js';
import { countOf } from '../terminal-text.js';

export const command = defineSiteCommand({
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
});
