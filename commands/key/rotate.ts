/** `hcd key rotate ID`: a new secret for an API key. */
import { durationValue } from '../../src/config/time-values.js';
import { rotateKey } from '../../src/identity/keys/rotate-key.js';
import { defineCommand } from '../command.js';
import { confirmChange } from '../confirm.js';
import { optional } from '../parameters.js';
import { openReady } from '../store/open-ready.js';
import { isoTime, issuedRecord } from './key-record.js';
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
  async run({ id, overlap = 0 }, deps) {
    const store = await openReady(deps);
    if (overlap === 0)
      await confirmChange(deps, 'End the old secret of the key at once? --overlap lets both work for a while.');
    const { key, previousEndsOn } = await rotateKey(store, {
      selector: id,
      overlap: overlap * 1000,
      now: deps.clock.now(),
    });
    return {
      kind: 'record',
      record: issuedRecord(key),
      notes: [
        'The key is shown only now: store it where its client reads its secrets.',
        previousEndsOn === null
          ? 'The old secret stops working within one second.'
          : `The old secret works until ${isoTime(previousEndsOn)}.`,
      ],
    };
  },
});
