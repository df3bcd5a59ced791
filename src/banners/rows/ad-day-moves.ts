/**
 * Events that are under another day than the clocks of a zone show for their moment: finding them in short stretches of
 * time, and putting them and their sums under the right one. Times are Unix milliseconds.
 */
import type { Param, Reader, Tx } from '../../store/base/database.js';
import { type DayIncrement, moveBetweenDays } from './ad-days.js';
import type { EventKind } from './ad-events.js';
import { addToReferrerDays, type ReferrerIncrement } from './ad-referrer-days.js';
import { eventColumns } from './ad-statistics.js';

export interface MisplacedQuestion {
  readonly kind: EventKind;
  readonly from: number;
  /** The first moment after it. */
  readonly to: number;
  /** The day on which all of the stretch is. */
  readonly day: number;
  readonly limit: number;
}

export interface MisplacedEvent {
  readonly id: number;
  readonly at: number;
}

/** Rows of the stretch under another day, the oldest first. */
export async function readMisplaced(reader: Reader, question: MisplacedQuestion): Promise<MisplacedEvent[]> {
  const { table, at } = eventColumns[question.kind];
  const rows = await reader.select({
    sql: `SELECT \`id\`, ${at} FROM ${table} WHERE ${at} >= ? AND ${at} < ? AND \`day\` <> ? ORDER BY ${at}, \`id\` LIMIT ?`,
    params: [question.from, question.to, question.day, question.limit],
    heavy: true,
  });
  return rows.map(([id, moment]) => ({ id: Number(id), at: Number(moment) }));
}

export interface Move {
  readonly kind: EventKind;
  readonly ids: readonly number[];
  readonly day: number;
  /** A digest that no visitor has, for the id of an event whose visitor is under that day already. */
  readonly substitute: (id: number) => string;
}

/** Puts the rows that are still there under the day, and their sums with them; gives how many it moved. */
export async function moveEvents(tx: Tx, { kind, ids, day, substitute }: Move): Promise<number> {
  const { table } = eventColumns[kind];
  const own = kind === 'clicks' ? '`order_id` IS NOT NULL, `referrer`' : "0, ''";
  const lock = tx.dialect === 'mariadb' ? ' FOR UPDATE' : '';
  const rows = await tx.select({
    sql: `SELECT \`id\`, \`ad\`, \`position\`, \`day\`, \`visitor\`, ${own} FROM ${table} WHERE \`id\` IN (${marks(ids)}) AND \`day\` <> ? ORDER BY \`id\`${lock}`,
    params: [...ids, day],
  });
  const changes: DayIncrement[] = [];
  const referrers: ReferrerIncrement[] = [];
  for (const [id, ad, position, before, visitor, isOrdered, referrer] of rows) {
    const params: readonly Param[] = [day, Number(ad), Number(position), String(visitor)];
    const taken = await tx.select({
      sql: `SELECT 1 FROM ${table} WHERE \`day\` = ? AND \`ad\` = ? AND \`position\` = ? AND \`visitor\` = ?`,
      params,
    });
    await tx.run({
      sql: `UPDATE ${table} SET \`day\` = ?, \`visitor\` = ? WHERE \`id\` = ?`,
      params: [day, taken.length === 0 ? String(visitor) : substitute(Number(id)), Number(id)],
    });
    const counted = {
      ad: Number(ad),
      position: Number(position),
      clicks: kind === 'clicks' ? 1 : 0,
      impressions: kind === 'impressions' ? 1 : 0,
      conversions: Number(isOrdered),
    };
    if (kind === 'clicks') {
      const where = { position: Number(position), referrer: String(referrer) };
      referrers.push({ ...where, day, clicks: 1 }, { ...where, day: Number(before), clicks: -1 });
    }
    changes.push({ ...counted, day });
    changes.push({
      ...counted,
      day: Number(before),
      clicks: -counted.clicks,
      impressions: -counted.impressions,
      conversions: -counted.conversions,
    });
  }
  await moveBetweenDays(tx, changes);
  await addToReferrerDays(tx, referrers);
  return rows.length;
}

function marks(ids: readonly number[]): string {
  return ids.map(() => '?').join(', ');
}
