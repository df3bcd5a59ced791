/** Statistics of banners (docs/banners-statistics.md), with the names that values have on the wire. */
import type { Param, Reader } from '../../store/base/database.js';
import { type NamedKind, readNames } from '../models/audit.js';
import { adDays, conditionsOf, type EventKind, events, type Subject, sumDays } from '../models/events.js';
import { type Condition, whereOf } from '../models/page.js';
import { addCounts, type Counts, deltaOf, type Figures, figuresOf, isNothing, noCounts } from '../rules/figures.js';
import { addDays, dayStart, dayText, localDay } from '../rules/local-time.js';
import {
  edgesOf,
  type LocalNow,
  type Range,
  type Span,
  shownDays,
  type WholeDays,
  wholeDaysOf,
} from '../rules/periods.js';

export interface StatisticsQuestion {
  readonly range: Range;
  readonly subject: Subject;
  readonly clock: LocalNow;
}

export async function readStatistics(own: Reader, question: StatisticsQuestion) {
  const days = await countBy(own, { ...question, by: 'day' });
  return { summary: summaryOf(question.range, days.values()), by_day: byDay(question, days) };
}

export async function readSummary(own: Reader, question: StatisticsQuestion) {
  const banners = await countBy(own, { ...question, by: 'ad' });
  return summaryOf(question.range, banners.values());
}

interface TopQuestion extends StatisticsQuestion {
  readonly by: NamedKind;
  readonly limit: number;
  readonly offset?: number;
  readonly order?: keyof Figures;
}

/** By default most impressions first; then most impressions, then most clicks, then the oldest. */
export async function readTop(own: Reader, question: TopQuestion) {
  const { limit, offset = 0, order = 'impressions', by } = question;
  const found = [...(await countBy(own, question))].map(([id, counts]) => ({
    id,
    figures: figuresOf(counts),
  }));
  const most = ({ figures }: (typeof found)[number]): number => figures[order] ?? -1;
  const first = found
    .sort(
      (one, other) =>
        most(other) - most(one) ||
        other.figures.impressions - one.figures.impressions ||
        other.figures.clicks - one.figures.clicks ||
        one.id - other.id,
    )
    .slice(offset, offset + limit);
  const names = await readNames(
    own,
    by,
    first.map(({ id }) => id),
  );
  const rows = first.map(({ id, figures }) => ({ id, name: names.get(id) ?? null, ...figures }));
  return { rows, total: found.length };
}

export async function readReferrerPage(
  own: Reader,
  question: StatisticsQuestion & { readonly limit: number; readonly offset: number },
) {
  const { limit, offset } = question;
  const { rows, total } = await readReferrers(own, question, { limit, offset });
  return { rows, total: total ?? (offset === 0 ? 0 : await countReferrers(own, question)) };
}

export async function comparePeriods(
  own: Reader,
  question: Omit<StatisticsQuestion, 'range'> & { readonly base: Range; readonly compare: Range },
) {
  const { subject, clock } = question;
  const base = await readStatistics(own, { range: question.base, subject, clock });
  const compare = await readStatistics(own, { range: question.compare, subject, clock });
  return { base, compare, delta: deltaOf(base.summary, compare.summary) };
}

function summaryOf(range: Range, counts: Iterable<Counts>) {
  let sum = noCounts;
  for (const more of counts) sum = addCounts(sum, more);
  return { period: range.period, from: range.fromText, to: range.toText, ...figuresOf(sum) };
}

/** Every day of a range with a beginning, zeros included; else the days with events. */
function byDay({ range, clock }: StatisticsQuestion, counts: ReadonlyMap<number, Counts>) {
  const days = shownDays(range, clock) ?? [...counts.keys()].sort((a, b) => a - b);
  return days.map((day) => ({ date: dayText(day), ...figuresOf(counts.get(day) ?? noCounts) }));
}

interface CountQuestion extends StatisticsQuestion {
  readonly by: 'day' | NamedKind;
}

async function countBy(own: Reader, { range, subject, clock, by }: CountQuestion): Promise<Map<number, Counts>> {
  const { zone } = clock;
  const whole = wholeDaysOf(range, zone);
  const counts = whole === null ? new Map<number, Counts>() : await readDaySums(own, { whole, subject, by });
  for (const span of edgesOf(range, whole, zone).flatMap((edge) => daysIn(edge, zone))) {
    const day = localDay(span.from, zone);
    for (const { id, ...more } of await readEvents(own, { ...span, subject, by: by === 'day' ? 'ad' : by })) {
      const key = by === 'day' ? day : id;
      counts.set(key, addCounts(counts.get(key) ?? noCounts, more));
    }
  }
  for (const [key, sum] of counts) if (isNothing(sum)) counts.delete(key);
  return counts;
}

function daysIn({ from, to }: Span, zone: string): Span[] {
  const end = Math.min(to, dayStart(addDays(localDay(from, zone), 1), zone));
  return [{ from, to: end }, ...(end < to ? daysIn({ from: end, to }, zone) : [])];
}

function readDaySums(
  own: Reader,
  { whole, subject, by }: Pick<CountQuestion, 'subject' | 'by'> & { readonly whole: WholeDays },
): Promise<Map<number, Counts>> {
  const { first, last } = whole;
  const conditions: readonly (Condition | null)[] = [
    first === null ? null : ['`day` >= ?', [first]],
    last === null ? null : ['`day` <= ?', [last]],
    ...conditionsOf(subject),
  ];
  return sumDays(own, { by, conditions, heavy: { over: adDays.table } });
}

interface EventsQuestion extends Span {
  readonly subject: Subject;
  readonly by: NamedKind;
}

async function readEvents(own: Reader, question: EventsQuestion) {
  return [...(await countEvents(own, 'clicks', question)), ...(await countEvents(own, 'impressions', question))];
}

async function countEvents(reader: Reader, kind: EventKind, { from, to, subject, by }: EventsQuestion) {
  const { table, columnOf } = events[kind];
  const at = `\`${columnOf('at')}\``;
  const orders = kind === 'clicks' ? 'COUNT(`order_id`)' : '0';
  const { where, params } = whereOf([[`${at} >= ?`, [from]], [`${at} < ?`, [to]], ...conditionsOf(subject)]);
  const sql = `SELECT \`${by}\`, COUNT(*), ${orders} FROM \`${table}\`${where} GROUP BY \`${by}\``;
  const rows = await reader.select({ sql, params, heavy: { over: table } });
  return rows.map(([id, events, orders]) => {
    return { ...noCounts, id: Number(id), [kind]: Number(events), conversions: Number(orders) };
  });
}

export interface ReferrerCount {
  readonly referrer: string;
  readonly clicks: number;
}

export interface FoundReferrers {
  readonly rows: readonly ReferrerCount[];
  /** Of all pages; null for a page after the last one. */
  readonly total: number | null;
}

/** Most clicks first, then by referrer. Clicks without a referrer count under the empty text. */
export async function readReferrers(
  reader: Reader,
  question: StatisticsQuestion,
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

/** Referrers of clicks with their counts, from the sums of whole days and the raw rows of the remaining time. */
async function countReferrers(reader: Reader, question: StatisticsQuestion): Promise<number> {
  const { sql, params } = counted(question);
  const rows = await reader.select({
    sql: `SELECT COUNT(*) FROM (SELECT \`referrer\` ${sql}) AS \`found\``,
    params,
    heavy: true,
  });
  return Number(rows[0]?.[0] ?? 0);
}

function counted({ range, subject, clock }: StatisticsQuestion): { readonly sql: string; readonly params: Param[] } {
  const { zone } = clock;
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
