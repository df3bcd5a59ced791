/** `hcd webhook disable`: turn off a webhook subscription. */
import { disableSubscription, loadSubscription } from '../../src/webhooks/administration/subscriptions.js';
import { defineSiteCommand } from '../command.js';
import { openText, subscriptionParameter, subscriptionTitle, switchedResult } from './shared.js';

export const command = defineSiteCommand({
  description:
    'Turns a subscription off and cancels its open deliveries. New events are not queued for it. A delivery that is being sent may still arrive. Asks for confirmation on a terminal, unless --yes is given.',
  arguments: { id: subscriptionParameter },
  examples: {
    'webhook disable 3': 'Turn off a subscription',
    'webhook disable 3 --yes --json': 'Turn off a subscription without confirmation',
  },
  async run({ id }, deps) {
    const before = await loadSubscription(deps.store, id);
    if (before.active) await deps.confirm(`Turn off ${subscriptionTitle(before)} and cancel ${openText(before.open)}?`);
    const done = await disableSubscription(deps.store, id);
    const first = before.active
      ? `Turned off ${subscriptionTitle(before)}.`
      : `Already off: ${subscriptionTitle(before)}.`;
    return switchedResult(`${first} Cancelled deliveries: ${done.cancelled}.`, done, deps);
  },
});
