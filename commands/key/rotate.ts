/** `hcd key rotate ID`: replaces the secret of an API key. */
import { durationValue } from '../../src/config/time-values.js';
import { rotateKey } from '../../src/identity/keys/manage-keys.js';
import { defineCommand } from '../command.js';
import { confirmChange } from '../confirm.js';
import { optional } from '../parameters.js';
import { isoTime } from '../result.js';
import { issuedRecord, keyParameter } from './shared.js';

export const command = defineCommand({
  path: 'key rotate',
  summary: 'Replace the secret of an API key',
  description:
    'Creates a new secret for a key and prints the key. The key is shown only once. Id, lookup id, scopes, user and expiry stay the same. Without --overlap the old secret stops working within one second. With --overlap both secrets work for that time, so that you can update clients one by one. During an overlap the key can be rotated again only without --overlap, which revokes all older secrets. After a leak, rotate without --overlap.',
  arguments: { id: keyParameter },
  options: {
    overlap: optional(durationValue, {
      placeholder: 'DURATION',
      description: 'How long the old secret keeps working (default: 0s)',
    }),
  },
  examples: [
    { line: 'key rotate 3 --overlap 7d', does: 'Keep the old secret valid for a week' },
    { line: 'key rotate 3 --yes --json', does: 'Replace a leaked secret immediately' },
  ],
  destructive: { when: { says: 'Without --overlap', holds: ({ overlap = 0 }) => overlap === 0 } },
  async run({ id, overlap = 0 }, deps) {
    const store = await deps.openReady();
    if (overlap === 0)
      await confirmChange(
        deps,
        'Revoke the old secret of the key immediately? Use --overlap to keep it valid for a while.',
      );
    const { key, previousEndsOn } = await rotateKey(store, {
      selector: id,
      overlap: overlap * 1000,
      now: deps.clock.now(),
    });
    return {
      kind: 'record',
      record: issuedRecord(key),
      notes: [
        'Copy the key now: it is not shown again.',
        previousEndsOn === null
          ? 'The old secret stops working within one second.'
          : `The old secret works until ${isoTime(previousEndsOn)}.`,
      ],
    };
  },
});
