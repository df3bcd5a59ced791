/** Cancels the waiting deliveries of a subscription that is inactive or gone (docs/webhooks.md#look-and-repair). */
import type { Database } from '../../store/base/database.js';
import { cancelDeliveries, readStrayReceivers } from '../rows/webhook-deliveries.js';
import { readSubscription } from '../rows/webhook-subscriptions.js';

/** Deliveries of one transaction: few enough that no change of content waits for it. */
const together = 500;

/**
 * Cancels every open delivery of a subscription that is inactive or gone, in several short transactions; stops when it
 * has become active again.
 */
export async function cancelOpen(
  own: Database,
  { subscriptionId, reason }: { readonly subscriptionId: number; readonly reason: string },
): Promise<number> {
  let all = 0;
  // Until none is found: some of those found may be settled meanwhile, so few cancelled ones do not mean the last ones.
  for (let cancelled = together; cancelled > 0; all += cancelled) {
    cancelled = await own.write(
      async (tx) => {
        const subscription = await readSubscription(tx, subscriptionId);
        if (subscription?.active === true) return 0;
        return cancelDeliveries(tx, { subscriptionId, reason, limit: together });
      },
      { outcome: async () => undefined },
    );
  }
  return all;
}

/**
 * Cancels what was queued for a subscription in the moment in which it was disabled or removed; gives how many
 * deliveries there were.
 */
export async function cancelStray(own: Database): Promise<number> {
  let all = 0;
  for (const subscriptionId of await readStrayReceivers(own.primary)) {
    all += await cancelOpen(own, { subscriptionId, reason: 'The subscription is disabled or removed' });
  }
  return all;
}
