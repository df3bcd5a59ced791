/** `hcd delivery prune`: removes old finished deliveries. */
import { integerValue } from '../../src/config/value-type.js';
import { defineCommand } from '../command.js';
import { optional } from '../parameters.js';

export const command = defineCommand({
  path: 'delivery prune',
  summary: 'Remove old finished deliveries',
  description:
    'Removes deliveries with their attempts that were finished (delivered, failed or cancelled) longer ago than --days, else than the setting gateway_webhook_retention_days, and prints how many. What waits is never removed. The worker does the same by the setting.',
  arguments: {},
  options: {
    days: optional(integerValue({ min: 0, max: 36_500 }), {
      placeholder: 'N',
      description: 'Days since they were finished; 0 removes every finished one',
    }),
  },
  examples: [
    { line: 'delivery prune', does: 'Remove what is past its time' },
    { line: 'delivery prune --days 7 --yes', does: 'Keep a week, without a question' },
  ],
  destructive: {},
  // Loaded when it runs: the database layer takes longer to load than most commands take to run.
  run: async (options, deps) => (await import('./run-prune.js')).runPrune(options, deps),
});
