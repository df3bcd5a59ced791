/** Sums of one day beside a recount of its raw rows, banner by banner and position by position, and by referrer. */
import type { RawRow, Reader, Tx } from '../../store/base/database.js';
import type { DayIncrement } from './ad-days.js';
import type { EventKind } from './ad-events.js';
import type { ReferrerIncrement } from './ad-referrer-days.js';
import { eventColumns } from './ad-statistics.js';

/** Clicks, impressions and conversions of a banner at a position. */
export type PlaceSums = Omit<DayIncrement, 'day'>;

/** Clicks from a referrer at a position; 0 = at all of them. */
export type ReferrerSum = Omit<ReferrerIncrement, 'day'>;

/** Positions of one statement. */
const together = 100;

/** What is stored for the day. */
export async function readSumsOfDay(reader: Reader, day: number): Promise<PlaceSums[]> {
  return sumsOfDay(reader, { day, lock: '' });
}

/** The same, held until the transaction ends. */
export async function lockSumsOfDay(tx: Tx, day: number): Promise<PlaceSums[]> {
  return sumsOfDay(tx, { day, lock: lockOf(tx) });
}

/** What is stored for the day by referrer, at these positions. */
export async function readReferrersOfDay(
  reader: Reader,
  day: number,
  positions: readonly number[],
): Promise<ReferrerSum[]> {
  return referrersOfDay(reader, { day, positions, lock: '' });
}

/** The same, held until the transaction ends. */
export async function lockReferrersOfDay(tx: Tx, day: number, positions: readonly number[]): Promise<ReferrerSum[]> {
  return referrersOfDay(tx, { day, positions, lock: lockOf(tx) });
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

/** Clicks of the day by position and referrer, as their rows have them. */
export async function recountReferrers(reader: Reader, day: number): Promise<ReferrerSum[]> {
  const rows = await reader.select({
    sql: 'SELECT `position`, `referrer`, COUNT(*) FROM `hcd_ad_clicks` WHERE `day` = ? GROUP BY `position`, `referrer`',
    params: [day],
    heavy: true,
  });
  return rows.map(decodeReferrer);
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

interface SumsQuestion {
  readonly day: number;
  /** End of the statement. */
  readonly lock: string;
}

async function sumsOfDay(reader: Reader, { day, lock }: SumsQuestion): Promise<PlaceSums[]> {
  const rows = await reader.select({
    sql: `SELECT \`ad\`, \`position\`, \`clicks\`, \`impressions\`, \`conversions\` FROM \`hcd_ad_days\` WHERE \`day\` = ? ORDER BY \`ad\`, \`position\`${lock}`,
    params: [day],
    heavy: true,
  });
  return rows.map(decodeSums);
}

async function referrersOfDay(
  reader: Reader,
  { day, positions, lock }: SumsQuestion & { readonly positions: readonly number[] },
): Promise<ReferrerSum[]> {
  const found: ReferrerSum[] = [];
  // In the order of the key, in which every writer takes the rows.
  const left = [...new Set(positions)].sort((one, other) => one - other);
  while (left.length > 0) {
    const part = left.splice(0, together);
    const rows = await reader.select({
      sql: `SELECT \`position\`, \`referrer\`, \`clicks\` FROM \`hcd_ad_referrer_days\` WHERE \`position\` IN (${part.map(() => '?').join(', ')}) AND \`day\` = ? ORDER BY \`position\`, \`referrer\`${lock}`,
      params: [...part, day],
      heavy: true,
    });
    found.push(...rows.map(decodeReferrer));
  }
  return found;
}

function lockOf({ dialect }: Tx): string {
  return dialect === 'mariadb' ? ' FOR UPDATE' : '';
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

function decodeReferrer([position, referrer, clicks]: RawRow): ReferrerSum {
  return { position: Number(position), referrer: String(referrer), clicks: Number(clicks) };
}
