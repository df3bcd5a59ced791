/** `hcd oauth client rotate-secret CLIENT_ID`: replaces the secret of an OAuth client. */
import { durationValue } from '../../../src/config/time-values.js';
import { rotateClientSecret } from '../../../src/identity/oauth/manage-clients.js';
import { defineCommand } from '../../command.js';
import { confirmChange } from '../../confirm.js';
import { optional } from '../../parameters.js';
import { isoTime } from '../../result.js';
import { clientParameter, issuedRecord } from '../shared.js';

export const command = defineCommand({
  path: 'oauth client rotate-secret',
  summary: 'Replace the secret of an OAuth client',
  description:
    'Creates a new secret for a client and prints it. The secret is shown only once. Id, name, scopes, grants and existing tokens stay the same. Without --overlap the old secret stops working immediately. With --overlap both secrets work for that time. During an overlap the secret can be rotated again only without --overlap, which revokes all older secrets.',
  arguments: { clientId: clientParameter },
  options: {
    overlap: optional(durationValue, {
      placeholder: 'DURATION',
      description: 'How long the old secret keeps working (default: 0s)',
    }),
  },
  examples: [
    {
      line: 'oauth client rotate-secret website --overlap 7d',
      does: 'Keep the old secret valid for a week',
    },
    { line: 'oauth client rotate-secret website --yes --json', does: 'Replace a leaked secret immediately' },
  ],
  destructive: { when: { says: 'Without --overlap', holds: ({ overlap = 0 }) => overlap === 0 } },
  async run({ clientId, overlap = 0 }, deps) {
    const store = await deps.openReady();
    if (overlap === 0)
      await confirmChange(
        deps,
        'Revoke the old secret of the client immediately? Use --overlap to keep it valid for a while.',
      );
    const { client, previousEndsOn } = await rotateClientSecret(store, {
      clientId,
      overlap: overlap * 1000,
      now: deps.clock.now(),
    });
    return {
      kind: 'record',
      record: issuedRecord(client),
      notes: [
        'Copy the secret now: it is not shown again.',
        previousEndsOn === null
          ? 'The old secret no longer works.'
          : `The old secret works until ${isoTime(previousEndsOn)}.`,
      ],
    };
  },
});
