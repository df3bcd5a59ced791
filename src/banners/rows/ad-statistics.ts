/**
 * What statistics read: the sums of `hcd_ad_days`, and counts of the raw rows of short stretches of time. Days are digits
 * of local days, times Unix milliseconds; position 0 stands for all of them.
 */
import type { Param, Reader } from '../../store/base/database.js';
import type { EventKind } from './ad-events.js';

export interface DaySums {
  /** The day or the banner, whichever was asked for. */
  readonly key: number;
  readonly clicks: number;
  readonly impressions: number;
  readonly conversions: number;
}

export interface SumsQuestion {
  /** First and last day; null = open at that end. */
  readonly first: number | null;
  readonly last: number | null;
  readonly position: number;
  readonly by: 'day' | 'ad';
}

export interface EventsQuestion {
  readonly kind: EventKind;
  readonly from: number;
  /** The first moment after it. */
  readonly to: number;
  readonly position: number;
}

/** Events of one banner that were recorded under one day. */
export interface EventCount {
  readonly ad: number;
  readonly day: number;
  readonly events: number;
  readonly conversions: number;
}

/** Table and time column by kind. */
export const eventColumns: Readonly<Record<EventKind, { readonly table: string; readonly at: string }>> = Object.freeze(
  {
    clicks: { table: '`hcd_ad_clicks`', at: '`clicked_on`' },
    impressions: { table: '`hcd_ad_impressions`', at: '`shown_on`' },
  },
);

/** Sums of the days by day or by banner, in the order of the key. */
export async function readDaySums(reader: Reader, { first, last, position, by }: SumsQuestion): Promise<DaySums[]> {
  const { condition, params } = allOf([
    first === null ? null : ['`day` >= ?', first],
    last === null ? null : ['`day` <= ?', last],
    position === 0 ? null : ['`position` = ?', position],
  ]);
  const rows = await reader.select({
    sql: `SELECT \`${by}\`, SUM(\`clicks\`), SUM(\`impressions\`), SUM(\`conversions\`) FROM \`hcd_ad_days\`${condition} GROUP BY \`${by}\` ORDER BY \`${by}\``,
    params,
    heavy: { over: 'hcd_ad_days' },
  });
  return rows.map(([key, clicks, impressions, conversions]) => ({
    key: Number(key),
    clicks: Number(clicks),
    impressions: Number(impressions),
    conversions: Number(conversions),
  }));
}

/** Counts of the rows of the stretch by banner and recorded day, from the index of time. */
export async function countEvents(reader: Reader, question: EventsQuestion): Promise<EventCount[]> {
  const { kind, from, to, position } = question;
  const { table, at } = eventColumns[kind];
  const conversions = kind === 'clicks' ? 'COUNT(`order_id`)' : '0';
  const { condition, params } = allOf([
    [`${at} >= ?`, from],
    [`${at} < ?`, to],
    position === 0 ? null : ['`position` = ?', position],
  ]);
  const rows = await reader.select({
    sql: `SELECT \`ad\`, \`day\`, COUNT(*), ${conversions} FROM ${table}${condition} GROUP BY \`ad\`, \`day\``,
    params,
    heavy: { over: table.replaceAll('`', '') },
  });
  return rows.map(([ad, day, events, orders]) => ({
    ad: Number(ad),
    day: Number(day),
    events: Number(events),
    conversions: Number(orders),
  }));
}

/** The moments of the first and the last raw row of any kind; null when there is none. */
export async function readEventTimes(
  reader: Reader,
): Promise<{ readonly first: number; readonly last: number } | null> {
  const found: number[] = [];
  for (const { table, at } of Object.values(eventColumns)) {
    for (const end of ['MIN', 'MAX']) {
      const rows = await reader.select({ sql: `SELECT ${end}(${at}) FROM ${table}`, params: [] });
      const [moment] = rows[0] ?? [];
      if (moment !== null && moment !== undefined) found.push(Number(moment));
    }
  }
  return found.length === 0 ? null : { first: Math.min(...found), last: Math.max(...found) };
}

type Condition = readonly [sql: string, param: Param] | null;

/** The conditions that are there, as the end of a statement. */
export function allOf(conditions: readonly Condition[]): { readonly condition: string; readonly params: Param[] } {
  const there = conditions.filter((one) => one !== null);
  return {
    condition: there.length === 0 ? '' : ` WHERE ${there.map(([sql]) => sql).join(' AND ')}`,
    params: there.map(([, param]) => param),
  };
}
