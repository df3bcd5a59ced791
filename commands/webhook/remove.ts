/** `hcd webhook remove ID`: takes a subscription away. */
import { defineCommand } from '../command.js';
import { subscriptionParameter } from './parameters.js';

export const command = defineCommand({
  path: 'webhook remove',
  summary: 'Remove a webhook subscription',
  description:
    'Removes a subscription with its secret and cancels its open deliveries. Finished deliveries stay in the list until they are past their time (gateway_webhook_retention_days). It cannot be brought back.',
  arguments: { id: subscriptionParameter },
  options: {},
  examples: [
    { line: 'webhook remove 3', does: 'Remove the subscription 3' },
    { line: 'webhook remove 3 --yes --json', does: 'The same, from a script' },
  ],
  destructive: {},
  // Loaded when it runs: the database layer takes longer to load than most commands take to run.
  run: async (options, deps) => (await import('./run-switch.js')).runRemove(options, deps),
});
