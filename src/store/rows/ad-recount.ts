/** Sums of one day beside a recount of its raw rows, banner by banner and position by position. */
import type { RawRow, Reader } from '../database.js';
import type { DayIncrement } from './ad-days.js';
import type { EventKind } from './ad-events.js';
import { eventColumns } from './ad-statistics.js';

/** Clicks, impressions and conversions of a banner at a position. */
export type PlaceSums = Omit<DayIncrement, 'day'>;

/** What is stored for the day. */
export async function readSumsOfDay(reader: Reader, day: number): Promise<PlaceSums[]> {
  const rows = await reader.select({
    sql: 'SELECT `ad`, `position`, `clicks`, `impressions`, `conversions` FROM `hcd_ad_days` WHERE `day` = ?',
    params: [day],
    heavy: true,
  });
  return rows.map(decodeSums);
}

/** What the rows of the day come to; of impressions only these, of clicks the rest. */
export async function recountDay(reader: Reader, kind: EventKind, day: number): Promise<PlaceSums[]> {
  const figures = kind === 'clicks' ? 'COUNT(*), 0, COUNT(`order_id`)' : '0, COUNT(*), 0';
  const rows = await reader.select({
    sql: `SELECT \`ad\`, \`position\`, ${figures} FROM ${eventColumns[kind].table} WHERE \`day\` = ? GROUP BY \`ad\`, \`position\``,
    params: [day],
    heavy: true,
  });
  return rows.map(decodeSums);
}

export interface DayLimits {
  readonly first: number;
  readonly last: number;
}

/** First and last day of the raw rows of a kind, or of the sums; null without any. */
export async function readDayLimits(reader: Reader, of: EventKind | 'sums'): Promise<DayLimits | null> {
  const table = of === 'sums' ? '`hcd_ad_days`' : eventColumns[of].table;
  const ask = async (end: string) =>
    (await reader.select({ sql: `SELECT ${end}(\`day\`) FROM ${table}`, params: [] }))[0]?.[0];
  const first = await ask('MIN');
  const last = await ask('MAX');
  return first === null || first === undefined ? null : { first: Number(first), last: Number(last) };
}

function decodeSums([ad, position, clicks, impressions, conversions]: RawRow): PlaceSums {
  return {
    ad: Number(ad),
    position: Number(position),
    clicks: Number(clicks),
    impressions: Number(impressions),
    conversions: Number(conversions),
  };
}
