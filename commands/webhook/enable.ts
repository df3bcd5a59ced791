/** `hcd webhook enable ID`: events are delivered again. */
import { defineCommand } from '../command.js';
import { subscriptionParameter } from './parameters.js';

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
  // Loaded when it runs: the database layer takes longer to load than most commands take to run.
  run: async (options, deps) => (await import('./run-switch.js')).runEnable(options, deps),
});
