/** `hcd webhook show`: show a webhook subscription. */
import { loadSubscription } from '../../src/webhooks/administration/subscriptions.js';
import { defineSiteCommand } from '../command.js';
import { subscriptionParameter, subscriptionRecord } from './shared.js';

export const command = defineSiteCommand({
  description:
    'Shows a subscription: URL, events, state, open deliveries, failures since the last success with the last error, when it is going to be disabled, why it was disabled, its last success, and what was finished in the last 24 hours. previous_ends_on is when deliveries are no longer signed with the secret before the last rotation. The secret is not shown.',
  arguments: { id: subscriptionParameter },
  examples: {
    'webhook show 3': 'Show a subscription',
    'webhook show 3 --json': 'Show a subscription as JSON',
  },
  async run({ id }, deps) {
    return { kind: 'record', record: await subscriptionRecord(await loadSubscription(deps.store, id), deps) };
  },
});
