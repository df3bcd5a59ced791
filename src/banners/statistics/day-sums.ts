/** The sums of one day, as stored and as recounted from the raw rows, under the same names, for comparison. */
import type { Reader } from '../../store/base/database.js';
import { batchesOf } from '../../values/batches.js';
import { adDays, type EventKind, events, type Limits, readLimits, referrerDays } from '../models/events.js';
import type { DayIncrement, ReferrerIncrement } from './add-to-days.js';

type PlaceSums = Omit<DayIncrement, 'day'>;

type ReferrerSum = Omit<ReferrerIncrement, 'day'>;

const batchSize = 100;

const figures = ['clicks', 'impressions', 'conversions'] as const;
type Figure = (typeof figures)[number];

export type SumName =
  | { readonly figure: Figure; readonly ad: number; readonly position: number }
  | { readonly figure: 'clicks by referrer'; readonly position: number; readonly referrer: string };

interface Sum {
  readonly name: SumName;
  readonly value: number;
}

/** Without sums that are 0. */
export type Sums = ReadonlyMap<string, Sum>;

export async function countedSums(reader: Reader, day: number): Promise<Sums> {
  const places = [...(await recountDay(reader, 'clicks', day)), ...(await recountDay(reader, 'impressions', day))];
  return sumsOf(places, withAllPositions(await recountReferrers(reader, day)));
}

export function kindOf({ figure }: SumName): 'clicks' | 'impressions' {
  return figure === 'impressions' ? 'impressions' : 'clicks';
}

interface SumsQuestion {
  readonly day: number;
  readonly positions: readonly number[];
  /** Days before referrers, as every writer locks them. */
  readonly lock: boolean;
}

/** Clicks by referrer of the positions that have sums, and of the named ones. */
export async function storedSums(reader: Reader, { day, positions, lock }: SumsQuestion): Promise<Sums> {
  const places = await adDays.on(reader).lookUpAll({ day }, { order: ['ad', 'position'], lock, heavy: true });
  // In the order of the key, in which every writer takes the rows.
  const named = [...new Set([0, ...places.map(({ position }) => position), ...positions])].sort((a, b) => a - b);
  const referrers: ReferrerSum[] = [];
  for (const position of batchesOf(named, batchSize)) {
    const order = ['position', 'referrer'] as const;
    referrers.push(...(await referrerDays.on(reader).lookUpAll({ position, day }, { order, lock, heavy: true })));
  }
  return sumsOf(places, referrers);
}

function withAllPositions(rows: readonly ReferrerSum[]): ReferrerSum[] {
  return [...rows, ...rows.map((row) => ({ ...row, position: 0 }))];
}

function sumsOf(places: readonly PlaceSums[], referrers: readonly ReferrerSum[]): Sums {
  const sums = new Map<string, Sum>();
  const add = (name: SumName, value: number): void => {
    if (value === 0) return;
    const key = keyOf(name);
    sums.set(key, { name, value: value + (sums.get(key)?.value ?? 0) });
  };
  for (const { ad, position, ...values } of places) {
    for (const figure of figures) add({ figure, ad, position }, values[figure]);
  }
  for (const { position, referrer, clicks } of referrers)
    add({ figure: 'clicks by referrer', position, referrer }, clicks);
  return sums;
}

export function keyOf(name: SumName): string {
  return name.figure === 'clicks by referrer'
    ? `${name.figure} ${name.position} ${name.referrer}`
    : `${name.figure} ${name.position} ${name.ad}`;
}

async function recountDay(reader: Reader, kind: EventKind, day: number): Promise<PlaceSums[]> {
  const figures = kind === 'clicks' ? 'COUNT(*), 0, COUNT(`order_id`)' : '0, COUNT(*), 0';
  const rows = await reader.select({
    sql: `SELECT \`ad\`, \`position\`, ${figures} FROM \`${events[kind].table}\` WHERE \`day\` = ? GROUP BY \`ad\`, \`position\``,
    params: [day],
    heavy: true,
  });
  return rows.map((row) => {
    const [ad = 0, position = 0, clicks = 0, impressions = 0, conversions = 0] = row.map(Number);
    return { ad, position, clicks, impressions, conversions };
  });
}

async function recountReferrers(reader: Reader, day: number): Promise<ReferrerSum[]> {
  const rows = await reader.select({
    sql: 'SELECT `position`, `referrer`, COUNT(*) FROM `hcd_ad_clicks` WHERE `day` = ? GROUP BY `position`, `referrer`',
    params: [day],
    heavy: true,
  });
  return rows.map(([position, referrer, count]) => ({
    position: Number(position),
    referrer: String(referrer),
    clicks: Number(count),
  }));
}

export function readDayLimits(reader: Reader, of: EventKind | 'sums'): Promise<Limits | null> {
  return readLimits(reader, { table: (of === 'sums' ? adDays : events[of]).table, column: 'day' });
}
