/** Removes finished deliveries and their attempts when they have been kept long enough. */

import type { Database } from '../../store/base/database.js';
import { dayMs } from '../../values/dates.js';
import { removeDoneDeliveries } from '../rows/webhook-deliveries.js';
import { type DecidingTime, readTime } from './deciding-time.js';

/** Deliveries of one transaction: few enough that no claim waits for it. */
const together = 500;

interface RetentionQuestion {
  readonly own: Database;
  readonly time: DecidingTime;
  /** Days since a delivery was finished. */
  readonly days: number;
  /** Stops between two transactions. */
  readonly stop?: AbortSignal;
}

/** Gives how many deliveries were removed. */
export async function removeFinished({ own, time, days, stop }: RetentionQuestion): Promise<number> {
  const before = (await readTime(own.primary, time)) - days * dayMs;
  let all = 0;
  for (let removed = together; removed > 0 && stop?.aborted !== true; all += removed) {
    removed = await own.write((tx) => removeDoneDeliveries(tx, { before, limit: together }), {
      outcome: async () => undefined,
    });
  }
  return all;
}
