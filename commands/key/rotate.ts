/** `hcd key rotate`: replace the secret of an API key. */
import { rotateKey } from '../../src/identity/keys/manage-keys.js';
import { defineSiteCommand, isoTime } from '../command.js';
import { overlapParameters, withoutOverlap } from '../parameters.js';
import { issuedRecord, keyParameter } from './shared.js';

export const command = defineSiteCommand({
  description:
    'Creates a new secret for a key and prints the key. The key is shown only once. Id, lookup id, scopes, user and expiry stay the same. Without --overlap the old secret stops working within one second. With --overlap both secrets work for that time, so that you can update clients one by one. During an overlap the key can be rotated again only without --overlap, which revokes all older secrets. After a leak, rotate without --overlap.',
  arguments: { id: keyParameter },
  options: overlapParameters('the old secret keeps working'),
  examples: {
    'key rotate 3 --overlap 7d': 'Keep the old secret valid for a week',
    'key rotate 3 --yes --json': 'Replace a leaked secret immediately',
  },
  destructive: withoutOverlap,
  async run({ id, overlap = 0 }, deps) {
    if (overlap === 0)
      await deps.confirm('Revoke the old secret of the key immediately? Use --overlap to keep it valid for a while.');
    const { key, previousEndsOn } = await rotateKey(deps.store, {
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
