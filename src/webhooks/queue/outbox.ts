/** The outbox: its length, deliveries that are cancelled, and the removal of those that were finished long ago. */
import { col, fn, Op } from 'sequelize';
import { type Database, type Reader, repeatable, type Tx } from '../../store/base/database.js';
import { fromNow } from '../../store/models/columns.js';
import { readNow } from '../../store/state/state.js';
import { dayMs } from '../../values/dates.js';
import {
  attempts,
  deliveries,
  doneStatuses,
  lockDeliveries,
  openStatuses,
  receiversWith,
} from '../models/deliveries.js';
import { subscriptions } from '../models/subscriptions.js';
import { type DecidingTime, readTime } from '../rules/deciding-time.js';

/** Few enough that no claim waits for it. */
const batchSize = 500;

interface RetentionQuestion {
  readonly own: Database;
  readonly time: DecidingTime;
  /** Days since a delivery was finished. */
  readonly days: number;
  readonly stop?: AbortSignal;
}

export async function removeFinished({ own, time, days, stop }: RetentionQuestion): Promise<number> {
  const before = (await readTime(own.primary, time)) - days * dayMs;
  let all = 0;
  for (let removed = batchSize; removed > 0 && stop?.aborted !== true; all += removed) {
    removed = await own.write((tx) => removeSome(tx, before), repeatable);
  }
  return all;
}

async function removeSome(tx: Tx, before: number): Promise<number> {
  const locked = await lockDeliveries(tx, await findFinished(tx, before));
  // What was queued again meanwhile stays.
  const old = locked.filter(
    ({ status, visibleAt }) => visibleAt < before && doneStatuses.some((one) => one === status),
  );
  if (old.length === 0) return 0;
  const ids = old.map(({ id }) => id);
  await attempts.on(tx).destroy({ where: { deliveryId: ids } });
  return deliveries.on(tx).destroy({ where: { id: ids } });
}

async function findFinished(reader: Reader, before: number): Promise<number[]> {
  const ids: number[] = [];
  for (const status of doneStatuses) {
    for await (const subscriptionId of receiversWith(reader, status)) {
      const found = await deliveries.on(reader).findAll({
        attributes: ['id'],
        where: { status, subscriptionId, visibleAt: { [Op.lt]: before } },
        order: ['visibleAt', 'id'],
        limit: batchSize - ids.length,
      });
      ids.push(...found.map(({ id }) => id));
      if (ids.length >= batchSize) return ids;
    }
  }
  return ids;
}

export async function countFinished(own: Database, days: number): Promise<number> {
  const before = (await readNow(own.primary)) - days * dayMs;
  let sum = 0;
  for (const status of doneStatuses) {
    for await (const subscriptionId of receiversWith(own.primary, status)) {
      const where = { status, subscriptionId, visibleAt: { [Op.lt]: before } };
      sum += await deliveries.on(own.primary).count({ where });
    }
  }
  return sum;
}

export interface OutboxState {
  readonly depth: Readonly<Record<string, number>>;
  /** Seconds since the oldest delivery that waits was due; 0 when none is due. */
  readonly oldestAgeSeconds: number;
}

/** Some tens of milliseconds for a million of unfinished deliveries. */
export async function readOutboxState(reader: Reader): Promise<OutboxState> {
  const finders = deliveries.on(reader);
  const counts = await finders.count({ where: { status: { [Op.in]: openStatuses } }, group: ['status'] });
  const oldest = await finders.findOne({
    attributes: ['visibleAt'],
    where: { status: 'pending' },
    order: ['visibleAt'],
  });
  const now = await readNow(reader);
  return {
    depth: Object.fromEntries(
      openStatuses.map((status) => [status, counts.find((row) => row.status === status)?.count ?? 0]),
    ),
    oldestAgeSeconds: oldest === null ? 0 : Math.max(0, (now - oldest.visibleAt) / 1000),
  };
}

interface Cancelling {
  readonly subscriptionId: number;
  readonly reason: string;
}

/** Stops when the subscription is active again. A delivery under way is cancelled too: its outcome changes nothing. */
export async function cancelOpen(own: Database, cancelling: Cancelling): Promise<number> {
  let all = 0;
  // Some may be settled meanwhile, so a small number does not mean the last ones.
  for (let cancelled = batchSize; cancelled > 0; all += cancelled) {
    cancelled = await own.write((tx) => cancelSome(tx, cancelling), repeatable);
  }
  return all;
}

async function cancelSome(tx: Tx, { subscriptionId, reason }: Cancelling): Promise<number> {
  const subscription = await subscriptions.on(tx).lookUp({ id: subscriptionId });
  if (subscription?.active === true) return 0;
  const where = { subscriptionId, status: [...openStatuses] };
  const found = await deliveries.on(tx).findAll({ attributes: ['id'], where, limit: batchSize });
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
