/** `hcd webhook remove ID`: takes a subscription away. */
import { removeSubscription } from '../../src/webhooks/administration/change-subscription.js';
import { loadSubscription } from '../../src/webhooks/administration/subscription-view.js';
import { defineCommand } from '../command.js';
import { confirmChange } from '../confirm.js';
import { openReady } from '../store/open-ready.js';
import { subscriptionParameter } from './parameters.js';
import { openText, subscriptionTitle } from './webhook-record.js';

export const command = defineCommand({
  path: 'webhook remove',
  summary: 'Remove a webhook subscription',
  description:
    'Removes a subscription with its secret and cancels its open deliveries. Finished deliveries stay in the list until they are past their time (gateway_webhook_retention_days). It cannot be brought back.',
  arguments: { id: subscriptionParameter },
  options: {},
  examples: [
    { line: 'webhook remove 3', does: 'Remove the subscription 3' },
    { line: 'webhook remove 3 --yes --json', does: 'The same, from a script' },
  ],
  destructive: {},
  async run({ id }, deps) {
    const store = await openReady(deps);
    const before = await loadSubscription(store, id);
    await confirmChange(deps, `Remove ${subscriptionTitle(before)} for good and cancel ${openText(before.open)}?`);
    const { cancelled } = await removeSubscription(store, id);
    const message = `Removed ${subscriptionTitle(before)}. Open deliveries that were cancelled: ${cancelled}.`;
    return { kind: 'done', message, data: { id, removed: true, cancelled } };
  },
});
