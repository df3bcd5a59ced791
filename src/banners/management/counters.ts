/** What visitors did over all time, from the sums of the days. */
import type { Reader } from '../../store/base/database.js';
import { adDays } from '../models/events.js';
import type { Counts } from '../rules/figures.js';

/** Counters of the banners or positions that have any. */
export async function readCounters(
  reader: Reader,
  { by, ids }: { readonly by: 'ad' | 'position'; readonly ids: readonly number[] },
): Promise<ReadonlyMap<number, Counts>> {
  if (ids.length === 0) return new Map();
  const rows = await reader.select({
    sql: `SELECT \`${by}\`, SUM(\`clicks\`), SUM(\`impressions\`), SUM(\`conversions\`) FROM \`${adDays.table}\` WHERE \`${by}\` IN (${ids.map(() => '?').join(', ')}) GROUP BY \`${by}\``,
    params: ids,
    heavy: { over: adDays.table },
  });
  return new Map(
    rows.map(([id, clicks, impressions, conversions]) => [
      Number(id),
      { clicks: Number(clicks), impressions: Number(impressions), conversions: Number(conversions) },
    ]),
  );
}
