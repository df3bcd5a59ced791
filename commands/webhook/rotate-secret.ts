/** `hcd webhook rotate-secret ID`: a new secret for a subscription. */
import { durationValue } from '../../src/config/time-values.js';
import { rotateWebhookSecret } from '../../src/webhooks/administration/rotate-secret.js';
import { loadSubscription } from '../../src/webhooks/administration/subscription-view.js';
import { openWebhookSealer } from '../../src/webhooks/administration/webhook-sealer.js';
import { defineCommand } from '../command.js';
import { confirmChange } from '../confirm.js';
import { isoTime } from '../key/key-record.js';
import { optional } from '../parameters.js';
import { openReady } from '../store/open-ready.js';
import { secretParameter, subscriptionParameter } from './parameters.js';
import { secretNotes } from './secret-notes.js';
import { addedRecord, keptText } from './webhook-record.js';

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
  async run({ id, overlap = 0, secret: given }, deps) {
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
  },
});
