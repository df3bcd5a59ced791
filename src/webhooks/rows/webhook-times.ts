/**
 * Deliveries in `hcd_webhook_deliveries` whose times no clock can have given that only went forward: they were written
 * before the clock of the database was set back, and would wait until it is as late again.
 */
import type { Reader, Tx } from '../../store/base/database.js';
import { byIds } from './webhook-id-list.js';

interface TimesQuestion {
  readonly now: number;
  readonly leaseMs: number;
}

/**
 * What was never attempted is due from the moment in which it was queued, and no lease ends later than it lasts. A
 * repetition may rightly be a day away, so it keeps its time.
 */
const impossible = [
  "`d`.`status` = 'pending' AND `d`.`visible_at` > ? AND `d`.`attempts` = 0",
  "`d`.`status` = 'delivering' AND `d`.`visible_at` > ?",
];

/** Ids of such deliveries to active subscriptions, so many at most; reads nothing that is due. */
export async function readImpossibleTimes(
  reader: Reader,
  { now, leaseMs, limit }: TimesQuestion & { readonly limit: number },
): Promise<number[]> {
  const some = impossible.map(
    (condition) => `SELECT \`d\`.\`id\` FROM \`hcd_webhook_subscriptions\` \`s\` JOIN \`hcd_webhook_deliveries\` \`d\`
      ON \`d\`.\`subscription_id\` = \`s\`.\`id\` AND ${condition} WHERE \`s\`.\`active\` = 1`,
  );
  const rows = await reader.select({
    sql: `${some.join(' UNION ALL ')} LIMIT ?`,
    params: [now, now + leaseMs, limit],
  });
  return rows.map(([id]) => Number(id));
}

/** Makes the waiting ones due and ends the leases of the others after the time of one lease; gives how many it were. */
export async function bringBack(
  tx: Tx,
  { ids, now, leaseMs }: TimesQuestion & { readonly ids: readonly number[] },
): Promise<number> {
  const { changes } = await tx.run({
    sql: `UPDATE \`hcd_webhook_deliveries\`${byIds(tx.dialect)}
      SET \`visible_at\` = CASE WHEN \`status\` = 'pending' THEN ? ELSE ? END
      WHERE \`id\` IN (${ids.map(() => '?').join(', ')}) AND ((${impossible.join(') OR (').replaceAll('`d`.', '')}))`,
    params: [now, now + leaseMs, ...ids, now, now + leaseMs],
  });
  return changes;
}
