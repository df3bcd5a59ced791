/** The length of the outbox, for monitoring. */
import { Op } from 'sequelize';
import type { Reader } from '../../store/base/database.js';
import { deliveries, openStatuses } from '../models/deliveries.js';
import { databaseTime } from '../rules/deciding-time.js';

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
  const now = await databaseTime(reader);
  return {
    depth: Object.fromEntries(
      openStatuses.map((status) => [status, counts.find((row) => row.status === status)?.count ?? 0]),
    ),
    oldestAgeSeconds: oldest === null ? 0 : Math.max(0, (now - oldest.visibleAt) / 1000),
  };
}
