/** `hcd webhook rotate-secret ID`: a new secret for a subscription. */
import { durationValue } from '../../src/config/time-values.js';
import { defineCommand } from '../command.js';
import { optional } from '../parameters.js';
import { secretParameter, subscriptionParameter } from './parameters.js';

export const command = defineCommand({
  path: 'webhook rotate-secret',
  summary: 'Give a webhook subscription a new secret',
  description:
    'Makes a new secret for a subscription and prints it, once. With --overlap new deliveries carry two signatures for that long, one of the new secret and one of the old, so that the receiver can be changed at any time in between; without it they carry the new one only. Deliveries that were queued before keep the old secret. During an overlap it can be rotated again only without one, which ends every older secret: the way out after a leak.',
  arguments: { id: subscriptionParameter },
  options: {
    overlap: optional(durationValue, {
      placeholder: 'DURATION',
      description: 'How long new deliveries are signed with the old secret too; not at all when left out',
    }),
    secret: secretParameter,
  },
  examples: [
    { line: 'webhook rotate-secret 3 --overlap 7d', does: 'Give the receiver a week to take up the new secret' },
    { line: 'webhook rotate-secret 3 --yes --json', does: 'Replace a leaked secret now' },
  ],
  destructive: { when: { says: 'Without --overlap', holds: ({ overlap = 0 }) => overlap === 0 } },
  // Loaded when it runs: the database layer takes longer to load than most commands take to run.
  run: async (options, deps) => (await import('./run-rotate-secret.js')).runRotateSecret(options, deps),
});
