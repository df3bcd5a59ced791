/** Cancels the waiting deliveries of a subscription that is inactive or removed (docs/webhooks.md#find-and-repair-failures). */
import { col, fn } from 'sequelize';
import type { Database, Tx } from '../../store/base/database.js';
import { fromNow } from '../../store/models/columns.js';
import { deliveries, lockDeliveries, openStatuses, receiversWith } from '../models/deliveries.js';
import { subscriptions } from '../models/subscriptions.js';

/** Few enough that no change of content waits for it. */
const together = 500;

interface Cancelling {
  readonly subscriptionId: number;
  readonly reason: string;
}

/** Stops when the subscription is active again. A delivery under way is cancelled too: its outcome changes nothing. */
export async function cancelOpen(own: Database, cancelling: Cancelling): Promise<number> {
  let all = 0;
  // Some may be settled meanwhile, so a small number does not mean the last ones.
  for (let cancelled = together; cancelled > 0; all += cancelled) {
    cancelled = await own.write((tx) => cancelSome(tx, cancelling), { outcome: async () => undefined });
  }
  return all;
}

async function cancelSome(tx: Tx, { subscriptionId, reason }: Cancelling): Promise<number> {
  const subscription = await subscriptions.on(tx).lookUp({ id: subscriptionId });
  if (subscription?.active === true) return 0;
  const where = { subscriptionId, status: [...openStatuses] };
  const found = await deliveries.on(tx).findAll({ attributes: ['id'], where, limit: together });
  const locked = await lockDeliveries(
    tx,
    found.map(({ id }) => id),
  );
  const open = locked.filter(({ status }) => openStatuses.some((one) => one === status)).map(({ id }) => id);
  if (open.length === 0) return 0;
  const lastError = fn('COALESCE', col('last_error'), reason);
  const values = { status: 'cancelled', claim: '', claimedBy: null, lastError, visibleAt: fromNow(tx) } as const;
  return deliveries.on(tx).update(values, { where: { id: open } });
}

/** Cancels what was queued while a subscription was being disabled or removed. Returns how many there were. */
export async function cancelStray(own: Database): Promise<number> {
  const receivers = new Set<number>();
  for (const status of openStatuses) {
    for await (const receiver of receiversWith(own.primary, status)) receivers.add(receiver);
  }
  const active = await subscriptions.on(own.primary).findAll({ attributes: ['id'], where: { active: true } });
  for (const { id } of active) receivers.delete(id);
  let all = 0;
  for (const subscriptionId of receivers) {
    all += await cancelOpen(own, { subscriptionId, reason: 'The subscription is disabled or removed' });
  }
  return all;
}
