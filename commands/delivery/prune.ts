/** `hcd delivery prune`: removes old finished deliveries. */
import { integerValue } from '../../src/config/value-type.js';
import { readRuntimeSettings } from '../../src/content/settings/settings.js';
import { countPrunableDeliveries, pruneDeliveries } from '../../src/webhooks/administration/requeue-deliveries.js';
import { defineCommand } from '../command.js';
import { confirmChange } from '../confirm.js';
import { optional } from '../parameters.js';

export const command = defineCommand({
  path: 'delivery prune',
  summary: 'Remove old finished deliveries',
  description:
    'Removes deliveries that finished (delivered, failed or cancelled) more than --days ago, with their attempts, and prints how many. Waiting deliveries are never removed. The worker does the same with gateway_webhook_retention_days.',
  arguments: {},
  options: {
    days: optional(integerValue({ min: 0, max: 36_500 }), {
      placeholder: 'N',
      description: 'Days since a delivery finished (default: gateway_webhook_retention_days)',
    }),
  },
  examples: [
    { line: 'delivery prune', does: 'Remove deliveries that are older than the setting allows' },
    { line: 'delivery prune --days 7 --yes', does: 'Keep the last 7 days, without confirmation' },
  ],
  destructive: {},
  async run({ days: given }, deps) {
    const store = await deps.openReady();
    const days = given ?? (await readRuntimeSettings(store, deps.env)).values.gateway_webhook_retention_days;
    const age = days === 1 ? '1 day' : `${days} days`;
    if (deps.prompt.isInteractive) {
      const count = await countPrunableDeliveries(store, days);
      const what = count === 1 ? '1 delivery' : `${count} deliveries`;
      if (count > 0) await confirmChange(deps, `Remove ${what} that finished more than ${age} ago?`);
    }
    const removed = await pruneDeliveries(store, days);
    return {
      kind: 'done',
      message: `Removed deliveries that finished more than ${age} ago: ${removed}.`,
      data: { removed, days },
    };
  },
});
