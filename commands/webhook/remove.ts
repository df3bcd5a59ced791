/** `hcd webhook remove`: remove a webhook subscription. */
import { loadSubscription, removeSubscription } from '../../src/webhooks/administration/subscriptions.js';
import { defineSiteCommand } from '../command.js';
import { openText, subscriptionParameter, subscriptionTitle } from './shared.js';

export const command = defineSiteCommand({
  description:
    'Removes a subscription and its secret permanently and cancels its open deliveries. Finished deliveries stay in the list for gateway_webhook_retention_days.',
  arguments: { id: subscriptionParameter },
  examples: {
    'webhook remove 3': 'Remove a subscription',
    'webhook remove 3 --yes --json': 'Remove a subscription without confirmation',
  },
  destructive: {},
  async run({ id }, deps) {
    const before = await loadSubscription(deps.store, id);
    await deps.confirm(`Remove ${subscriptionTitle(before)} permanently and cancel ${openText(before.open)}?`);
    const { cancelled } = await removeSubscription(deps.store, id);
    const message = `Removed ${subscriptionTitle(before)}. Cancelled deliveries: ${cancelled}.`;
    return { kind: 'done', message, data: { id, removed: true, cancelled } };
  },
});
