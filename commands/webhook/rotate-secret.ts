/** `hcd webhook rotate-secret ID`: replaces the secret of a subscription. */
import { durationValue } from '../../src/config/time-values.js';
import { openWebhookSealer, rotateWebhookSecret } from '../../src/webhooks/administration/secrets.js';
import { loadSubscription } from '../../src/webhooks/administration/show-subscriptions.js';
import { defineCommand } from '../command.js';
import { confirmChange } from '../confirm.js';
import { optional } from '../parameters.js';
import { isoTime } from '../result.js';
import { addedRecord, keptText, secretNotes, secretParameter, subscriptionParameter } from './shared.js';

export const command = defineCommand({
  path: 'webhook rotate-secret',
  summary: 'Replace the secret of a webhook subscription',
  description:
    'Creates a new secret for a subscription and prints it. The secret is shown only once. With --overlap new deliveries are signed with both secrets for that time, so that you can update the receiver at any moment; without it they are signed with the new secret only. Deliveries that are already queued keep the old secret. During an overlap the secret can be rotated again only without --overlap, which revokes all older secrets. After a leak, rotate without --overlap.',
  arguments: { id: subscriptionParameter },
  options: {
    overlap: optional(durationValue, {
      placeholder: 'DURATION',
      description: 'How long new deliveries are also signed with the old secret (default: 0s)',
    }),
    secret: secretParameter,
  },
  examples: [
    { line: 'webhook rotate-secret 3 --overlap 7d', does: 'Keep the old secret valid for a week' },
    { line: 'webhook rotate-secret 3 --yes --json', does: 'Replace a leaked secret immediately' },
  ],
  destructive: { when: { says: 'Without --overlap', holds: ({ overlap = 0 }) => overlap === 0 } },
  async run({ id, overlap = 0, secret: given }, deps) {
    const { config } = deps.loadConfig();
    const store = await deps.openReady();
    if (overlap === 0)
      await confirmChange(
        deps,
        'Sign new deliveries with the new secret only? Use --overlap to sign with both for a while.',
      );
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
          ? 'New deliveries are signed with the new secret only.'
          : `New deliveries are signed with both secrets until ${isoTime(previousEndsOn)}.`,
        ...(open > 0 ? [keptText(open, 'secret')] : []),
      ],
    };
  },
});
