/** `hcd banner key rotate`: another key for the banner API. */
import { durationValue } from '../../../src/config/time-values.js';
import { defineCommand } from '../../command.js';
import { optional } from '../../parameters.js';

export const command = defineCommand({
  path: 'banner key rotate',
  summary: 'Make a new key for the banner API',
  description:
    'Makes a new key and prints it; the first one where there is none. Without --overlap the old key stops working within one second; with it both work for that long, so that clients can be changed one after the other. Keys that may only read stay as they are. No restart is needed.',
  arguments: {},
  options: {
    overlap: optional(durationValue, {
      placeholder: 'DURATION',
      description: 'How long the old key works on; not at all when left out',
    }),
  },
  examples: [
    { line: 'banner key rotate --overlap 7d', does: 'Give clients a week to take up the new key' },
    { line: 'banner key rotate --yes --json', does: 'Replace a leaked key now' },
  ],
  destructive: { when: { says: 'Without --overlap', holds: ({ overlap = 0 }) => overlap === 0 } },
  // Loaded when it runs: the database layer takes longer to load than most commands take to run.
  run: async (options, deps) => (await import('./run-key.js')).runRotate(options, deps),
});
