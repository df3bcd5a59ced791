/** Clicks and impressions: one row per visitor, banner, position and local day, and the sums of the days. */
import type { Heavy, Reader } from '../../store/base/database.js';
import { id, integer, key, named, optional, orNull, text, time } from '../../store/models/columns.js';
import { defineModel } from '../../store/models/model.js';
import type { Counts } from '../rules/figures.js';
import { type Condition, whereOf } from './page.js';

const event = {
  id: id(),
  ad: integer(),
  position: integer(),
  /** Digits of a local day. */
  day: integer(),
  visitor: text(16),
  ip: optional(text(39)),
};

export const clicks = defineModel('hcd_ad_clicks', {
  ...event,
  at: named('clicked_on', time()),
  referrer: optional(text(255)),
  orderId: orNull(text(64)),
});

export const impressions = defineModel('hcd_ad_impressions', { ...event, at: named('shown_on', time()) });

export const events = Object.freeze({ clicks, impressions });
export type EventKind = keyof typeof events;

export const adDays = defineModel('hcd_ad_days', {
  day: key(integer()),
  ad: key(integer()),
  position: key(integer()),
  clicks: optional(integer()),
  impressions: optional(integer()),
  conversions: optional(integer()),
});

interface DaySumsQuestion {
  readonly by: 'day' | 'ad' | 'position';
  readonly conditions: readonly (Condition | null)[];
  readonly heavy: Heavy;
}

export async function sumDays(reader: Reader, question: DaySumsQuestion): Promise<Map<number, Counts>> {
  const { by, conditions, heavy } = question;
  const { where, params } = whereOf(conditions);
  const rows = await reader.select({
    sql: `SELECT \`${by}\`, SUM(\`clicks\`), SUM(\`impressions\`), SUM(\`conversions\`) FROM \`hcd_ad_days\`${where} GROUP BY \`${by}\``,
    params,
    heavy,
  });
  return new Map(
    rows.map((row) => {
      const [key = 0, clicks = 0, impressions = 0, conversions = 0] = row.map(Number);
      return [key, { clicks, impressions, conversions }];
    }),
  );
}

/** What statistics are about; 0 = every banner or every position. */
export interface Subject {
  readonly banner: number;
  readonly position: number;
}

export function conditionsOf({ banner, position }: Subject): readonly (Condition | null)[] {
  return [banner === 0 ? null : ['`ad` = ?', [banner]], position === 0 ? null : ['`position` = ?', [position]]];
}

export function isOneOf(column: 'ad' | 'position', ids: readonly number[]): Condition {
  return [`\`${column}\` IN (${ids.map(() => '?').join(', ')})`, ids];
}

export async function readCounters(
  reader: Reader,
  { by, ids }: { readonly by: 'ad' | 'position'; readonly ids: readonly number[] },
): Promise<ReadonlyMap<number, Counts>> {
  if (ids.length === 0) return new Map();
  return sumDays(reader, { by, conditions: [isOneOf(by, ids)], heavy: { over: adDays.table } });
}

/** Position 0 means all positions. */
export const referrerDays = defineModel('hcd_ad_referrer_days', {
  position: key(integer()),
  day: key(integer()),
  referrer: key(text(255)),
  clicks: optional(integer()),
});

export interface Limits {
  readonly first: number;
  readonly last: number;
}

/** Null without rows. */
export async function readLimits(
  reader: Reader,
  { table, column }: { readonly table: string; readonly column: string },
): Promise<Limits | null> {
  // SQLite reads a whole index for both at once.
  const ask = async (end: 'MIN' | 'MAX') =>
    (await reader.select({ sql: `SELECT ${end}(\`${column}\`) FROM \`${table}\``, params: [] }))[0]?.[0] ?? null;
  const first = await ask('MIN');
  const last = await ask('MAX');
  return first === null || last === null ? null : { first: Number(first), last: Number(last) };
}

export function joinLimits(all: readonly (Limits | null)[]): Limits | null {
  const given = all.filter((one) => one !== null);
  if (given.length === 0) return null;
  return { first: Math.min(...given.map(({ first }) => first)), last: Math.max(...given.map(({ last }) => last)) };
}
