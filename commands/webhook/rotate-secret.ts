/** `hcd webhook rotate-secret`: replace the secret of a webhook subscription. */
import { openWebhookSealer, rotateWebhookSecret } from '../../src/webhooks/administration/secrets.js';
import { loadSubscription } from '../../src/webhooks/administration/subscriptions.js';
import { defineSiteCommand, isoTime } from '../command.js';
import { overlapParameters, withoutOverlap } from '../parameters.js';
import { addedRecord, keptText, secretNotes, secretParameter, subscriptionParameter } from './shared.js';

export const command = defineSiteCommand({
  description:
    'Creates a new secret for a subscription and prints it. The secret is shown only once. With --overlap new deliveries are signed with both secrets for that time, so that you can update the receiver at any moment; without it they are signed with the new secret only. Deliveries that are already queued keep the old secret. During an overlap the secret can be rotated again only without --overlap, which revokes all older secrets. After a leak, rotate without --overlap.',
  arguments: { id: subscriptionParameter },
  options: {
    ...overlapParameters('new deliveries are also signed with the old secret'),
    secret: secretParameter,
  },
  examples: {
    'webhook rotate-secret 3 --overlap 7d': 'Keep the old secret valid for a week',
    'webhook rotate-secret 3 --yes --json': 'Replace a leaked secret immediately',
  },
  destructive: withoutOverlap,
  async run({ id, overlap = 0, secret: given }, deps) {
    const { store } = deps;
    if (overlap === 0)
      await deps.confirm('Sign new deliveries with the new secret only? Use --overlap to sign with both for a while.');
    const { secret, previousEndsOn, open } = await rotateWebhookSecret(store, {
      id,
      sealer: await openWebhookSealer(store, deps.loadConfig().config.secret),
      secret: given ?? null,
      overlap: overlap * 1000,
    });
    return {
      kind: 'record',
      record: addedRecord({ ...(await loadSubscription(store, id)), secret }),
      notes: [
        ...secretNotes(secret),
        previousEndsOn === null
          ? 'New deliveries are signed with the new secret only.'
          : `New deliveries are signed with both secrets until ${isoTime(previousEndsOn)}.`,
        open > 0 && keptText(open, 'secret'),
      ],
    };
  },
});
