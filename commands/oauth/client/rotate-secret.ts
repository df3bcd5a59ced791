/** `hcd oauth client rotate-secret CLIENT_ID`: a new secret for an OAuth client. */
import { durationValue } from '../../../src/config/time-values.js';
import { rotateClientSecret } from '../../../src/identity/oauth/rotate-client-secret.js';
import { defineCommand } from '../../command.js';
import { confirmChange } from '../../confirm.js';
import { optional } from '../../parameters.js';
import { openReady } from '../../store/open-ready.js';
import { isoTime, issuedRecord } from '../oauth-record.js';
import { clientParameter } from '../parameters.js';

export const command = defineCommand({
  path: 'oauth client rotate-secret',
  summary: 'Give an OAuth client a new secret',
  description:
    'Makes a new secret for a client and prints it, once. Id, name, scopes, grants and the tokens that it has stay. Without --overlap the old secret stops working at once; with it both work for that long. A client keeps one old secret: during an overlap it can be rotated again only without one, which ends every older secret.',
  arguments: { clientId: clientParameter },
  options: {
    overlap: optional(durationValue, {
      placeholder: 'DURATION',
      description: 'How long the old secret works on; not at all when left out',
    }),
  },
  examples: [
    {
      line: 'oauth client rotate-secret website --overlap 7d',
      does: 'Give the client a week to take up the new secret',
    },
    { line: 'oauth client rotate-secret website --yes --json', does: 'Replace a leaked secret now' },
  ],
  destructive: { when: { says: 'Without --overlap', holds: ({ overlap = 0 }) => overlap === 0 } },
  async run({ clientId, overlap = 0 }, deps) {
    const store = await openReady(deps);
    if (overlap === 0)
      await confirmChange(deps, 'End the old secret of the client at once? --overlap lets both work for a while.');
    const { client, previousEndsOn } = await rotateClientSecret(store, {
      clientId,
      overlap: overlap * 1000,
      now: deps.clock.now(),
    });
    return {
      kind: 'record',
      record: issuedRecord(client),
      notes: [
        'The secret is shown only now: store it where the client reads its secrets.',
        previousEndsOn === null
          ? 'The old secret does not work any more.'
          : `The old secret works until ${isoTime(previousEndsOn)}.`,
      ],
    };
  },
});
