/** `hcd webhook show ID`: one subscription. */
import { loadSubscription } from '../../src/webhooks/administration/subscription-view.js';
import { defineCommand } from '../command.js';
import { openReady } from '../store/open-ready.js';
import { subscriptionParameter } from './parameters.js';
import { describeSubscription } from './show-subscription.js';

export const command = defineCommand({
  path: 'webhook show',
  summary: 'Show a webhook subscription',
  description:
    'Shows everything that is known of a subscription: address, events, state, open deliveries, failures since the last success with the last of them, when it would be disabled, and why it was. previous_ends_on is the time until which deliveries carry the signature of the secret before the last rotation too. The secret is not shown.',
  arguments: { id: subscriptionParameter },
  options: {},
  examples: [
    { line: 'webhook show 3', does: 'Show the subscription 3' },
    { line: 'webhook show 3 --json', does: 'Read it, for a script' },
  ],
  async run({ id }, deps) {
    const store = await openReady(deps);
    return { kind: 'record', record: await describeSubscription(await loadSubscription(store, id), { store, deps }) };
  },
});
