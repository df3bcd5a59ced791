/** `hcd audit prune`: removes old rows of the audit log. */
import { integerValue } from '../../src/config/value-type.js';
import { defineCommand } from '../command.js';
import { optional } from '../parameters.js';

export const command = defineCommand({
  path: 'audit prune',
  summary: 'Remove old rows of the audit log',
  description:
    'Removes the rows of the audit log that are older than --days, else than the setting gateway_audit_retention_days, and prints how many. The worker does the same by the setting.',
  arguments: {},
  options: {
    days: optional(integerValue({ min: 1, max: 36_500 }), {
      placeholder: 'N',
      description: 'Age in days from which rows are removed',
    }),
  },
  examples: [
    { line: 'audit prune', does: 'Remove what is older than the setting says' },
    { line: 'audit prune --days 30 --yes', does: 'Keep a month, without a question' },
  ],
  destructive: {},
  // Loaded when it runs: the database layer takes longer to load than most commands take to run.
  run: async (options, deps) => (await import('./run-prune.js')).runPrune(options, deps),
});
