/** `hcd webhook enable`: turn on a webhook subscription. */
import { enableSubscription, loadSubscription } from '../../src/webhooks/administration/subscriptions.js';
import { defineSiteCommand } from '../command.js';
import { subscriptionParameter, subscriptionTitle, switchedResult } from './shared.js';

export const command = defineSiteCommand({
  description:
    'Turns a subscription on that was disabled by a user or after failures, and resets its failures. New events are delivered. Deliveries that were cancelled stay cancelled; hcd delivery replay --since TIME --webhook ID sends them.',
  arguments: { id: subscriptionParameter },
  examples: {
    'webhook enable 3': 'Turn on a subscription',
    'webhook enable 3 --json': 'Turn on a subscription and print it as JSON',
  },
  async run({ id }, deps) {
    const before = await loadSubscription(deps.store, id);
    const done = await enableSubscription(deps.store, id);
    const message = before.active
      ? `Already on: ${subscriptionTitle(before)}. Nothing to do.`
      : `Turned on ${subscriptionTitle(before)}. To send cancelled deliveries: hcd delivery replay --since TIME --webhook ${id}`;
    return switchedResult(message, done, deps);
  },
});
