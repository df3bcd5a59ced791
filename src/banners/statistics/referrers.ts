/** Referrers of clicks with their counts, from the sums of whole days and the raw rows of the remaining time. */
import type { Param, Reader } from '../../store/base/database.js';
import { conditionsOf, type Subject } from '../models/events.js';
import { type Condition, whereOf } from '../models/page.js';
import { edgesOf, type Range, wholeDaysOf } from '../rules/periods.js';

export interface ReferrerCount {
  readonly referrer: string;
  readonly clicks: number;
}

export interface ReferrersQuestion {
  readonly range: Pick<Range, 'from' | 'to'>;
  readonly subject: Subject;
  readonly zone: string;
}

export interface FoundReferrers {
  readonly rows: readonly ReferrerCount[];
  /** Of all pages; null for a page after the last one. */
  readonly total: number | null;
}

/** Most clicks first, then by referrer. Clicks without a referrer count under the empty text. */
export async function readReferrers(
  reader: Reader,
  question: ReferrersQuestion,
  { limit, offset, after }: { readonly limit: number; readonly offset: number; readonly after?: ReferrerCount },
): Promise<FoundReferrers> {
  const { sql, params } = counted(question);
  const isAfter = after === undefined ? '' : ' AND (SUM(`n`) < ? OR (SUM(`n`) = ? AND `referrer` > ?))';
  const rows = await reader.select({
    sql: `SELECT \`referrer\`, SUM(\`n\`), COUNT(*) OVER () ${sql}${isAfter} ORDER BY SUM(\`n\`) DESC, \`referrer\` LIMIT ? OFFSET ?`,
    params: [
      ...params,
      ...(after === undefined ? [] : [after.clicks, after.clicks, after.referrer]),
      ...[limit, offset],
    ],
    heavy: true,
  });
  return {
    rows: rows.map(([referrer, clicks]) => ({ referrer: String(referrer), clicks: Number(clicks) })),
    total: rows[0] === undefined ? null : Number(rows[0][2]),
  };
}

export async function countReferrers(reader: Reader, question: ReferrersQuestion): Promise<number> {
  const { sql, params } = counted(question);
  const rows = await reader.select({
    sql: `SELECT COUNT(*) FROM (SELECT \`referrer\` ${sql}) AS \`found\``,
    params,
    heavy: true,
  });
  return Number(rows[0]?.[0] ?? 0);
}

function counted({ range, subject, zone }: ReferrersQuestion): { readonly sql: string; readonly params: Param[] } {
  const days = wholeDaysOf(range, zone);
  const [first, last] = days === null ? [1, 0] : [days.first ?? 0, days.last ?? 99_999_999];
  const clicksOf = (conditions: readonly Condition[]) => {
    const { where, params } = whereOf([...conditions, ...conditionsOf(subject)]);
    return { sql: `SELECT \`referrer\`, 1 AS \`n\` FROM \`hcd_ad_clicks\`${where}`, params };
  };
  const parts = [
    // The sums do not know banners.
    subject.banner === 0
      ? {
          sql: 'SELECT `referrer`, `clicks` AS `n` FROM `hcd_ad_referrer_days` WHERE `position` = ? AND `day` BETWEEN ? AND ?',
          params: [subject.position, first, last],
        }
      : clicksOf([['`day` BETWEEN ? AND ?', [first, last]]]),
    ...edgesOf(range, days, zone).map(({ from, to }) =>
      clicksOf([
        ['`clicked_on` >= ?', [from]],
        ['`clicked_on` < ?', [to]],
      ]),
    ),
  ];
  return {
    sql: `FROM (${parts.map(({ sql }) => sql).join(' UNION ALL ')}) AS \`parts\` GROUP BY \`referrer\` HAVING SUM(\`n\`) > 0`,
    params: parts.flatMap(({ params }) => params),
  };
}
