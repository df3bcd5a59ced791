/** Handles a clock of the database that was set back: earlier deliveries would wait for as long as it was set back. */
import { Op } from 'sequelize';
import type { Clock } from '../../clock/clock.js';
import type { Database, Reader, Tx } from '../../store/base/database.js';
import { deliveries, lockDeliveries, openStatuses } from '../models/deliveries.js';
import { subscriptions } from '../models/subscriptions.js';
import { type DecidingTime, readTime, worrySkewMs } from '../rules/deciding-time.js';
import { leaseMs } from './claim.js';
import type { Chore } from './worker-options.js';

const together = 500;
/** Shorter than a lease, so that no delivery waits longer than that. */
const everyMs = 10_000;

/** Looks at the first run, because the clock may have been set back while no worker ran, and after each step back. */
export function setBackChore(parts: {
  readonly own: Database;
  readonly time: DecidingTime;
  readonly clock: Clock;
}): Chore {
  const { own, time, clock } = parts;
  /** How far the deciding time is ahead of the clock that never goes back. */
  let lead = Number.POSITIVE_INFINITY;
  const run = async (): Promise<undefined> => {
    const now = await readTime(own.primary, time);
    const leadNow = now - clock.elapsed();
    if (leadNow < lead - worrySkewMs) await bringAllBack(own, now);
    // Only after success; and a clock that is a little slow adds up over days.
    lead = leadNow;
  };
  return { name: 'heeding a clock set back', everyMs, run };
}

async function bringAllBack(own: Database, now: number): Promise<void> {
  for (const status of openStatuses) {
    for (let isFull = true; isFull; ) {
      const ids = await findImpossible(own.primary, status, now);
      // Others work on the same deliveries: changed rows need nothing.
      const changed = ids.length === 0 ? 0 : await own.write((tx) => bringBack(tx, ids, now));
      isFull = changed > 0 && ids.length === together;
    }
  }
}

type OpenStatus = (typeof openStatuses)[number];

/** A first attempt is due from the moment it was queued. A repetition may be a day away, so it keeps its time. */
function latestTime(status: OpenStatus, now: number): number {
  return status === 'pending' ? now : now + leaseMs;
}

/** Reads nothing that is due. */
async function findImpossible(reader: Reader, status: OpenStatus, now: number): Promise<number[]> {
  const active = await subscriptions.on(reader).lookUpAll({ active: true }, { attributes: ['id'] });
  const rows = await deliveries.on(reader).findAll({
    attributes: ['id'],
    where: {
      status,
      subscriptionId: active.map(({ id }) => id),
      visibleAt: { [Op.gt]: latestTime(status, now) },
      ...(status === 'pending' ? { attempts: 0 } : {}),
    },
    limit: together,
  });
  return rows.map(({ id }) => id);
}

/** Makes waiting deliveries due and ends leases after the time of one lease. Returns how many there were. */
async function bringBack(tx: Tx, ids: readonly number[], now: number): Promise<number> {
  const locked = await lockDeliveries(tx, ids);
  let all = 0;
  for (const status of openStatuses) {
    const visibleAt = latestTime(status, now);
    const late = locked.filter((row) => row.status === status && row.visibleAt > visibleAt);
    const own = late.filter(({ attempts }) => status === 'delivering' || attempts === 0).map(({ id }) => id);
    if (own.length > 0) all += await deliveries.on(tx).update({ visibleAt }, { where: { id: own } });
  }
  return all;
}
