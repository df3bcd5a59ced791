/** Removes finished deliveries and their attempts when they have been kept long enough. */
import { Op } from 'sequelize';
import type { Database, Reader, Tx } from '../../store/base/database.js';
import { dayMs } from '../../values/dates.js';
import { attempts, deliveries, doneStatuses, lockDeliveries, receiversWith } from '../models/deliveries.js';
import { type DecidingTime, databaseTime, readTime } from '../rules/deciding-time.js';

/** Few enough that no claim waits for it. */
const together = 500;

interface RetentionQuestion {
  readonly own: Database;
  readonly time: DecidingTime;
  /** Days since a delivery was finished. */
  readonly days: number;
  readonly stop?: AbortSignal;
}

/** Returns how many deliveries were removed. */
export async function removeFinished({ own, time, days, stop }: RetentionQuestion): Promise<number> {
  const before = (await readTime(own.primary, time)) - days * dayMs;
  let all = 0;
  for (let removed = together; removed > 0 && stop?.aborted !== true; all += removed) {
    removed = await own.write((tx) => removeSome(tx, before), { outcome: async () => undefined });
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
        limit: together - ids.length,
      });
      ids.push(...found.map(({ id }) => id));
      if (ids.length >= together) return ids;
    }
  }
  return ids;
}

/** How many deliveries `removeFinished` would remove now. */
export async function countFinished(own: Database, days: number): Promise<number> {
  const before = (await databaseTime(own.primary)) - days * dayMs;
  let sum = 0;
  for (const status of doneStatuses) {
    for await (const subscriptionId of receiversWith(own.primary, status)) {
      const where = { status, subscriptionId, visibleAt: { [Op.lt]: before } };
      sum += await deliveries.on(own.primary).count({ where });
    }
  }
  return sum;
}
