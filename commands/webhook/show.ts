/** `hcd webhook show ID`: one subscription. */
import { loadSubscription } from '../../src/webhooks/administration/show-subscriptions.js';
import { defineCommand } from '../command.js';
import { describeSubscription, subscriptionParameter } from './shared.js';

export const command = defineCommand({
  path: 'webhook show',
  summary: 'Show a webhook subscription',
  description:
    'Shows a subscription: URL, events, state, open deliveries, failures since the last success with the last error, when it is going to be disabled, and why it was disabled. previous_ends_on is when deliveries are no longer signed with the secret before the last rotation. The secret is not shown.',
  arguments: { id: subscriptionParameter },
  options: {},
  examples: [
    { line: 'webhook show 3', does: 'Show a subscription' },
    { line: 'webhook show 3 --json', does: 'Show a subscription as JSON' },
  ],
  async run({ id }, deps) {
    const store = await deps.openReady();
    return { kind: 'record', record: await describeSubscription(await loadSubscription(store, id), { store, deps }) };
  },
});
