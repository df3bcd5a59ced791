/** `hcd webhook disable ID`: turns off a subscription. */

import { loadSubscription } from '../../src/webhooks/administration/show-subscriptions.js';
import { disableSubscription } from '../../src/webhooks/administration/write-subscriptions.js';
import { defineCommand } from '../command.js';
import { confirmChange } from '../confirm.js';
import { openText, subscriptionParameter, subscriptionTitle, switchedResult } from './shared.js';

export const command = defineCommand({
  path: 'webhook disable',
  summary: 'Turn off a webhook subscription',
  description:
    'Turns a subscription off and cancels its open deliveries. New events are not queued for it. A delivery that is being sent may still arrive. Asks for confirmation on a terminal, unless --yes is given.',
  arguments: { id: subscriptionParameter },
  options: {},
  examples: [
    { line: 'webhook disable 3', does: 'Turn off a subscription' },
    { line: 'webhook disable 3 --yes --json', does: 'Turn off a subscription without confirmation' },
  ],
  async run({ id }, deps) {
    const store = await deps.openReady();
    const before = await loadSubscription(store, id);
    if (before.active)
      await confirmChange(deps, `Turn off ${subscriptionTitle(before)} and cancel ${openText(before.open)}?`);
    const done = await disableSubscription(store, id);
    const first = before.active
      ? `Turned off ${subscriptionTitle(before)}.`
      : `Already off: ${subscriptionTitle(before)}.`;
    return switchedResult(`${first} Cancelled deliveries: ${done.cancelled}.`, done, { store, deps });
  },
});
