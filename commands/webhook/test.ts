/** `hcd webhook test ID`: sends a test event and says what the receiver answered. */
import { defineCommand } from '../command.js';
import { toggle } from '../parameters.js';
import { subscriptionParameter } from './parameters.js';

export const command = defineCommand({
  path: 'webhook test',
  summary: 'Send a test event to a receiver',
  description:
    'Queues an event webhook.test for one subscription, whatever events it lists, sends it at once and says with which status the receiver answered and how long it took; the text of the answer is shown where gateway_webhook_keep_answers is on. It goes the way of every delivery: same signature, same checks of the address, same time limit of 15 seconds; it stands in hcd delivery list and counts like any other success or failure of the receiver. It is tried once; a failure ends with 1. With --queue it is left to hcd worker instead, which also repeats it.',
  arguments: { id: subscriptionParameter },
  options: { queue: toggle('Only queue it, for a worker to send') },
  examples: [
    { line: 'webhook test 3', does: 'See whether the receiver takes deliveries' },
    { line: 'webhook test 3 --queue', does: 'See whether a worker runs' },
  ],
  endsItself: true,
  // Loaded when it runs: the database layer takes longer to load than most commands take to run.
  run: async (options, deps) => (await import('./run-test.js')).runTest(options, deps),
});
