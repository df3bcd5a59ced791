/** `hcd webhook disable ID`: nothing is delivered any more. */
import { disableSubscription } from '../../src/webhooks/administration/change-subscription.js';
import { loadSubscription } from '../../src/webhooks/administration/subscription-view.js';
import { defineCommand } from '../command.js';
import { confirmChange } from '../confirm.js';
import { openReady } from '../store/open-ready.js';
import { subscriptionParameter } from './parameters.js';
import { switchedResult } from './switched-result.js';
import { openText, subscriptionTitle } from './webhook-record.js';

export const command = defineCommand({
  path: 'webhook disable',
  summary: 'Switch a webhook subscription off',
  description:
    'Switches a subscription off and cancels its open deliveries; events from now on are not queued for it. A delivery that is under way at this moment may still arrive. Asks first on a terminal, unless --yes is given.',
  arguments: { id: subscriptionParameter },
  options: {},
  examples: [
    { line: 'webhook disable 3', does: 'Deliver nothing for the time being' },
    { line: 'webhook disable 3 --yes --json', does: 'The same, from a script' },
  ],
  async run({ id }, deps) {
    const store = await openReady(deps);
    const before = await loadSubscription(store, id);
    if (before.active)
      await confirmChange(deps, `Switch ${subscriptionTitle(before)} off and cancel ${openText(before.open)}?`);
    const done = await disableSubscription(store, id);
    const first = before.active
      ? `Switched ${subscriptionTitle(before)} off.`
      : `Nothing to switch: ${subscriptionTitle(before)} is inactive.`;
    return switchedResult(`${first} Open deliveries that were cancelled: ${done.cancelled}.`, done, { store, deps });
  },
});
