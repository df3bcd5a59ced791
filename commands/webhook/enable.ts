/** `hcd webhook enable ID`: turns on a subscription. */

import { loadSubscription } from '../../src/webhooks/administration/show-subscriptions.js';
import { enableSubscription } from '../../src/webhooks/administration/write-subscriptions.js';
import { defineCommand } from '../command.js';
import { subscriptionParameter, subscriptionTitle, switchedResult } from './shared.js';

export const command = defineCommand({
  path: 'webhook enable',
  summary: 'Turn on a webhook subscription',
  description:
    'Turns a subscription on that was disabled by a user or after failures, and resets its failures. New events are delivered. Deliveries that were cancelled stay cancelled; hcd delivery replay --since TIME --webhook ID sends them.',
  arguments: { id: subscriptionParameter },
  options: {},
  examples: [
    { line: 'webhook enable 3', does: 'Turn on a subscription' },
    { line: 'webhook enable 3 --json', does: 'Turn on a subscription and print it as JSON' },
  ],
  async run({ id }, deps) {
    const store = await deps.openReady();
    const before = await loadSubscription(store, id);
    const done = await enableSubscription(store, id);
    const message = before.active
      ? `Already on: ${subscriptionTitle(before)}. Nothing to do.`
      : `Turned on ${subscriptionTitle(before)}. To send cancelled deliveries: hcd delivery replay --since TIME --webhook ${id}`;
    return switchedResult(message, done, { store, deps });
  },
});
