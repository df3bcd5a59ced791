/** Counts whole days from the sums and the rest from raw rows. */

import type { Reader } from '../../store/base/database.js';
import { adDays, conditionsOf, type EventKind, events, type Subject, sumDays } from '../models/events.js';
import { type Condition, whereOf } from '../models/page.js';
import { addCounts, type Counts, isNothing, noCounts } from '../rules/figures.js';
import { addDays, dayStart, localDay } from '../rules/local-time.js';
import { edgesOf, type Range, type Span, type WholeDays, wholeDaysOf } from '../rules/periods.js';

interface CountQuestion {
  readonly range: Pick<Range, 'from' | 'to'>;
  readonly subject: Subject;
  readonly zone: string;
  readonly by: 'day' | 'ad';
}

export async function countBy(own: Reader, question: CountQuestion): Promise<Map<number, Counts>> {
  const { range, subject, zone, by } = question;
  const whole = wholeDaysOf(range, zone);
  const counts = whole === null ? new Map<number, Counts>() : await readDaySums(own, { whole, subject, by });
  for (const span of edgesOf(range, whole, zone).flatMap((edge) => daysIn(edge, zone))) {
    const day = localDay(span.from, zone);
    for (const { ad, ...more } of await readEvents(own, { ...span, subject })) {
      const key = by === 'day' ? day : ad;
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
}

async function readEvents(own: Reader, question: EventsQuestion) {
  const [clicks, impressions] = [
    await countEvents(own, 'clicks', question),
    await countEvents(own, 'impressions', question),
  ];
  return [
    ...clicks.map(([ad, events, orders]) => ({ ad, clicks: events, impressions: 0, conversions: orders })),
    ...impressions.map(([ad, events]) => ({ ad, clicks: 0, impressions: events, conversions: 0 })),
  ];
}

async function countEvents(reader: Reader, kind: EventKind, { from, to, subject }: EventsQuestion) {
  const { table, columnOf } = events[kind];
  const at = `\`${columnOf('at')}\``;
  const orders = kind === 'clicks' ? 'COUNT(`order_id`)' : '0';
  const { where, params } = whereOf([[`${at} >= ?`, [from]], [`${at} < ?`, [to]], ...conditionsOf(subject)]);
  const sql = `SELECT \`ad\`, COUNT(*), ${orders} FROM \`${table}\`${where} GROUP BY \`ad\``;
  const rows = await reader.select({ sql, params, heavy: { over: table } });
  return rows.map(([ad, events, orders]) => [Number(ad), Number(events), Number(orders)] as const);
}
