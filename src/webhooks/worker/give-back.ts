/** Gives back what was claimed and not sent: due at once for everybody, and the claim does not count as an attempt. */
import type { Database } from '../../store/base/database.js';
import { releaseDeliveries } from '../rows/webhook-settlements.js';
import type { DecidingTime } from '../rules/deciding-time.js';
import type { ReadyDelivery } from './ready-queue.js';

/** What another worker has taken over meanwhile stays as it is. */
export function giveBackUnsent(
  { own, time }: { readonly own: Database; readonly time: DecidingTime },
  unsent: readonly ReadyDelivery[],
): Promise<void> {
  const claims = unsent.map(({ delivery: { id, claim } }) => ({ id, claim }));
  // Once more when nobody answered COMMIT: what is released already has another claim, or none.
  return own.write(async (tx) => releaseDeliveries(tx, { claims, time: time(tx.dialect) }), {
    outcome: async () => undefined,
  });
}
