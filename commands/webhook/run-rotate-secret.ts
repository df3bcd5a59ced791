/** Gives a subscription a new secret for `hcd webhook rotate-secret`. */
import { rotateWebhookSecret } from '../../src/webhooks/rotate-secret.js';
import { loadSubscription } from '../../src/webhooks/subscription-view.js';
import { openWebhookSealer } from '../../src/webhooks/webhook-sealer.js';
import { confirmChange } from '../confirm.js';
import type { Deps } from '../deps.js';
import { isoTime } from '../key/key-record.js';
import type { RecordResult } from '../result.js';
import { openReady } from '../store/open-ready.js';
import { secretNotes } from './secret-notes.js';
import { addedRecord, keptText } from './webhook-record.js';

export interface RotateSecretOptions {
  readonly id: number;
  /** Seconds. */
  readonly overlap: number | undefined;
  readonly secret: string | undefined;
}

export async function runRotateSecret(
  { id, overlap = 0, secret: given }: RotateSecretOptions,
  deps: Deps,
): Promise<RecordResult> {
  const { config } = deps.loadConfig();
  const store = await openReady(deps);
  if (overlap === 0)
    await confirmChange(deps, 'Sign with the new secret only, from now on? --overlap signs with both for a while.');
  const { secret, previousEndsOn, open } = await rotateWebhookSecret(store, {
    id,
    sealer: await openWebhookSealer(store, config.secret),
    secret: given ?? null,
    overlap: overlap * 1000,
  });
  const view = await loadSubscription(store, id);
  return {
    kind: 'record',
    record: addedRecord({ ...view, secret }),
    notes: [
      ...secretNotes(secret),
      previousEndsOn === null
        ? 'New deliveries carry the signature of the new secret only.'
        : `New deliveries carry both signatures until ${isoTime(previousEndsOn)}.`,
      ...(open > 0 ? [keptText(open, 'secret')] : []),
    ],
  };
}
