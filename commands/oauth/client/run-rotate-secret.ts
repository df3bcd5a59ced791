/** Gives a client a new secret for `hcd oauth client rotate-secret`. */
import { rotateClientSecret } from '../../../src/identity/oauth/rotate-client-secret.js';
import { confirmChange } from '../../confirm.js';
import type { Deps } from '../../deps.js';
import type { RecordResult } from '../../result.js';
import { openReady } from '../../store/open-ready.js';
import { isoTime, issuedRecord } from '../oauth-record.js';

export interface RotateSecretOptions {
  readonly clientId: string;
  /** Seconds. */
  readonly overlap: number | undefined;
}

export async function runRotateSecret(
  { clientId, overlap = 0 }: RotateSecretOptions,
  deps: Deps,
): Promise<RecordResult> {
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
}
