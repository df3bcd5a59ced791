/** What visitors did over all time, as the sums of the days in `hcd_ad_days` say it. */
import type { Reader } from '../../store/base/database.js';

export interface AdCounters {
  readonly clicks: number;
  readonly impressions: number;
  readonly conversions: number;
}

export const noCounters: AdCounters = Object.freeze({ clicks: 0, impressions: 0, conversions: 0 });

/** Counters of the banners that have any. */
export function readCountersOfAds(reader: Reader, ads: readonly number[]): Promise<ReadonlyMap<number, AdCounters>> {
  return readSums(reader, 'ad', ads);
}

/** Counters of the positions that have any. */
export function readCountersOfPositions(
  reader: Reader,
  positions: readonly number[],
): Promise<ReadonlyMap<number, AdCounters>> {
  return readSums(reader, 'position', positions);
}

async function readSums(
  reader: Reader,
  column: 'ad' | 'position',
  ids: readonly number[],
): Promise<ReadonlyMap<number, AdCounters>> {
  if (ids.length === 0) return new Map();
  const rows = await reader.select({
    sql: `SELECT \`${column}\`, SUM(\`clicks\`), SUM(\`impressions\`), SUM(\`conversions\`) FROM \`hcd_ad_days\` WHERE \`${column}\` IN (${ids.map(() => '?').join(', ')}) GROUP BY \`${column}\``,
    params: [...ids],
    heavy: { over: 'hcd_ad_days' },
  });
  return new Map(
    rows.map(([id, clicks, impressions, conversions]) => [
      Number(id),
      { clicks: Number(clicks), impressions: Number(impressions), conversions: Number(conversions) },
    ]),
  );
}
