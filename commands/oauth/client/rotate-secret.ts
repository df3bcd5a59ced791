/** `hcd oauth client rotate-secret`: replace the secret of an OAuth client. */
import { rotateClientSecret } from '../../../src/identity/oauth/manage-clients.js';
import { defineSiteCommand, isoTime } from '../../command.js';
import { overlapParameters, withoutOverlap } from '../../parameters.js';
import { clientParameter, issuedRecord } from './shared.js';

export const command = defineSiteCommand({
  description:
    'Creates a new secret for a client and prints it. The secret is shown only once. Id, name, scopes, grants and existing tokens stay the same. Without --overlap the old secret stops working immediately. With --overlap both secrets work for that time. During an overlap the secret can be rotated again only without --overlap, which revokes all older secrets.',
  arguments: { clientId: clientParameter },
  options: overlapParameters('the old secret keeps working'),
  examples: {
    'oauth client rotate-secret website --overlap 7d': 'Keep the old secret valid for a week',
    'oauth client rotate-secret website --yes --json': 'Replace a leaked secret immediately',
  },
  destructive: withoutOverlap,
  async run({ clientId, overlap = 0 }, deps) {
    if (overlap === 0)
      await deps.confirm(
        'Revoke the old secret of the client immediately? Use --overlap to keep it valid for a while.',
      );
    const { client, previousEndsOn } = await rotateClientSecret(deps.store, {
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
