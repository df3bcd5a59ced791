/** `hcd webhook enable ID`: events are delivered again. */
import { enableSubscription } from '../../src/webhooks/administration/change-subscription.js';
import { loadSubscription } from '../../src/webhooks/administration/subscription-view.js';
import { defineCommand } from '../command.js';
import { openReady } from '../store/open-ready.js';
import { subscriptionParameter } from './parameters.js';
import { switchedResult } from './switched-result.js';
import { subscriptionTitle } from './webhook-record.js';

export const command = defineCommand({
  path: 'webhook enable',
  summary: 'Switch a webhook subscription on',
  description:
    'Switches a subscription on, whether it was disabled by hand or after failures, and forgets its failures. Events from now on are delivered. What was cancelled meanwhile stays cancelled; hcd delivery replay --since TIME --webhook ID sends it.',
  arguments: { id: subscriptionParameter },
  options: {},
  examples: [
    { line: 'webhook enable 3', does: 'Deliver again' },
    { line: 'webhook enable 3 --json', does: 'The same, from a script' },
  ],
  async run({ id }, deps) {
    const store = await openReady(deps);
    const before = await loadSubscription(store, id);
    const done = await enableSubscription(store, id);
    const message = before.active
      ? `Nothing to do: ${subscriptionTitle(before)} is active.`
      : `Switched ${subscriptionTitle(before)} on. What was cancelled is sent by: hcd delivery replay --since TIME --webhook ${id}`;
    return switchedResult(message, done, { store, deps });
  },
});
