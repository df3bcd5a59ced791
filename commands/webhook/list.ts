/** `hcd webhook list`: the subscriptions. */
import { defineCommand } from '../command.js';

export const command = defineCommand({
  path: 'webhook list',
  summary: 'List webhook subscriptions with their state',
  description:
    'Lists every subscription with its state, its open deliveries and its failures; never a secret. States: active, failing (the last attempt failed), inactive. A receiver that only fails for gateway_webhook_disable_after_days is disabled, not before disables_on; one success ends the count.',
  arguments: {},
  options: {},
  examples: [
    { line: 'webhook list', does: 'Show all subscriptions' },
    { line: 'webhook list --json', does: 'Read them with every member, for a script' },
  ],
  // Loaded when it runs: the database layer takes longer to load than most commands take to run.
  run: async (_options, deps) => (await import('./run-list.js')).runList(deps),
});
