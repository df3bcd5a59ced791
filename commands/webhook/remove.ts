/** `hcd webhook remove ID`: removes a subscription. */

import { loadSubscription } from '../../src/webhooks/administration/show-subscriptions.js';
import { removeSubscription } from '../../src/webhooks/administration/write-subscriptions.js';
import { defineCommand } from '../command.js';
import { confirmChange } from '../confirm.js';
import { openText, subscriptionParameter, subscriptionTitle } from './shared.js';

export const command = defineCommand({
  path: 'webhook remove',
  summary: 'Remove a webhook subscription',
  description:
    'Removes a subscription and its secret permanently and cancels its open deliveries. Finished deliveries stay in the list for gateway_webhook_retention_days.',
  arguments: { id: subscriptionParameter },
  options: {},
  examples: [
    { line: 'webhook remove 3', does: 'Remove a subscription' },
    { line: 'webhook remove 3 --yes --json', does: 'Remove a subscription without confirmation' },
  ],
  destructive: {},
  async run({ id }, deps) {
    const store = await deps.openReady();
    const before = await loadSubscription(store, id);
    await confirmChange(deps, `Remove ${subscriptionTitle(before)} permanently and cancel ${openText(before.open)}?`);
    const { cancelled } = await removeSubscription(store, id);
    const message = `Removed ${subscriptionTitle(before)}. Cancelled deliveries: ${cancelled}.`;
    return { kind: 'done', message, data: { id, removed: true, cancelled } };
  },
});
