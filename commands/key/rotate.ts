/** `hcd key rotate ID`: a new secret for an API key. */
import { durationValue } from '../../src/config/time-values.js';
import { defineCommand } from '../command.js';
import { optional } from '../parameters.js';
import { keyParameter } from './parameters.js';

export const command = defineCommand({
  path: 'key rotate',
  summary: 'Give an API key a new secret',
  description:
    'Makes a new secret for a key and prints the key, once. Id, lookup id, scopes, user and end stay. Without --overlap the old secret stops working within one second; with it both work for that long, so that clients can be changed one after the other. A key keeps one old secret: during an overlap it can be rotated again only without one, which ends every older secret. The way out after a leak is the same line without --overlap.',
  arguments: { id: keyParameter },
  options: {
    overlap: optional(durationValue, {
      placeholder: 'DURATION',
      description: 'How long the old secret works on; not at all when left out',
    }),
  },
  examples: [
    { line: 'key rotate 3 --overlap 7d', does: 'Give clients a week to take up the new secret' },
    { line: 'key rotate 3 --yes --json', does: 'Replace a leaked secret now' },
  ],
  destructive: { when: { says: 'Without --overlap', holds: ({ overlap = 0 }) => overlap === 0 } },
  // Loaded when it runs: the database layer takes longer to load than most commands take to run.
  run: async (options, deps) => (await import('./run-rotate.js')).runRotate(options, deps),
});
