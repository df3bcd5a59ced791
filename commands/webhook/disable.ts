/** `hcd webhook disable ID`: nothing is delivered any more. */
import { defineCommand } from '../command.js';
import { subscriptionParameter } from './parameters.js';

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
  // Loaded when it runs: the database layer takes longer to load than most commands take to run.
  run: async (options, deps) => (await import('./run-switch.js')).runDisable(options, deps),
});
