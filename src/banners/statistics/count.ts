/** Counts whole days from the sums and the rest from raw rows, also while sums move to another time zone. */

import type { Reader } from '../../store/base/database.js';
import { adDays, conditionsOf, type EventKind, events, type Subject, sumDays } from '../models/events.js';
import { type Condition, whereOf } from '../models/page.js';
import { addCounts, type Counts, isNothing, negative, noCounts } from '../rules/figures.js';
import { addDays, dayStart, localDay } from '../rules/local-time.js';
import { edgesOf, type Range, type Span, type WholeDays, wholeDaysOf } from '../rules/periods.js';
import { readDaysZone, readEventTimes, unsettledFrom } from './days-zone.js';
import type { ReferrersQuestion } from './referrers.js';

interface CountQuestion {
  readonly range: Pick<Range, 'from' | 'to'>;
  readonly subject: Subject;
  readonly zone: string;
  readonly by: 'day' | 'ad';
}

/** More than the largest difference between two zones, plus a day. */
const slackMs = 50 * 3_600_000;
/** One batch of moves takes longer than a read, so few reads meet a change. */
const attempts = 5;

export async function countBy(own: Reader, question: CountQuestion): Promise<Map<number, Counts>> {
  let standing = await readDaysZone(own);
  for (let attempt = 1; ; attempt += 1) {
    const unsettled = unsettledFrom(standing, question.zone);
    const counts = await countOnce(own, { ...question, unsettled });
    if (unsettled === null || attempt === attempts) return counts;
    const after = await readDaysZone(own);
    if (after?.moved === standing?.moved && after?.zone === standing?.zone) return counts;
    standing = after;
  }
}

export async function planReferrers(
  own: Reader,
  { range, subject, zone }: Omit<CountQuestion, 'by'>,
): Promise<ReferrersQuestion> {
  const unsettled = unsettledFrom(await readDaysZone(own), zone);
  const days = wholeDaysOf(range, zone);
  const pieces = await piecesOf(own, { count: { range, subject, zone, by: 'ad', unsettled }, whole: days });
  return { days, pieces, subject };
}

interface Count extends CountQuestion {
  /** From this moment on, raw rows may be under a wrong day; null = no row is. */
  readonly unsettled: number | null;
}

async function countOnce(own: Reader, count: Count): Promise<Map<number, Counts>> {
  const { range, subject, zone, by } = count;
  const whole = wholeDaysOf(range, zone);
  const counts = whole === null ? new Map<number, Counts>() : await readDaySums(own, { whole, subject, by });
  for (const { inside, ...span } of await piecesOf(own, { count, whole })) {
    const today = localDay(span.from, zone);
    for (const [change, { ad, day }] of await readChanges(own, { span, subject })) {
      if (inside) add(counts, by === 'day' ? today : ad, change);
      if (holds(whole, day)) add(counts, by === 'day' ? day : ad, negative(change));
    }
  }
  for (const [key, sum] of counts) if (isNothing(sum)) counts.delete(key);
  return counts;
}

/** A stretch of one day, wholly inside or outside the range. */
interface Piece extends Span {
  readonly inside: boolean;
}

async function piecesOf(own: Reader, { count, whole }: Omit<Looks, 'unsettled'>): Promise<Piece[]> {
  const { range, zone, unsettled } = count;
  const edges = edgesOf(range, whole, zone);
  const near = unsettled === null ? edges : [...edges, ...(await looksOf(own, { count, whole, unsettled }))];
  const cuts = [range.from, range.to].filter((cut) => cut !== null);
  return disjoint(near)
    .flatMap((span) => cutAt(span, { cuts, zone }))
    .map((span) => ({
      ...span,
      inside: (range.from === null || span.from >= range.from) && (range.to === null || span.from < range.to),
    }));
}

interface Looks {
  readonly count: Count;
  readonly whole: WholeDays | null;
  readonly unsettled: number;
}

/** Stretches in which a row may be inside the range but not under its whole days, or the reverse. */
async function looksOf(own: Reader, { count, whole, unsettled }: Looks): Promise<Span[]> {
  const { range, zone, by } = count;
  const times = await readEventTimes(own);
  if (times === null) return [];
  const near: Span[] = [];
  const from = range.from ?? times.first;
  const to = range.to ?? times.last + 1;
  if (by === 'day' || whole === null) near.push({ from: from - slackMs, to: to + slackMs });
  else {
    // Sums of banners are wrong only where the range begins and ends.
    if (range.from !== null && whole.first !== null)
      near.push({ from: from - slackMs, to: dayStart(whole.first, zone) + slackMs });
    if (range.to !== null && whole.last !== null)
      near.push({ from: dayStart(addDays(whole.last, 1), zone) - slackMs, to: to + slackMs });
  }
  const there = { from: Math.max(times.first, unsettled), to: times.last + 1 };
  return near.map((span) => ({ from: Math.max(span.from, there.from), to: Math.min(span.to, there.to) }));
}

function disjoint(spans: readonly Span[]): Span[] {
  const joined: Span[] = [];
  for (const span of spans.filter(({ from, to }) => from < to).sort((a, b) => a.from - b.from)) {
    const last = joined.at(-1);
    if (last !== undefined && span.from <= last.to)
      joined.splice(-1, 1, { from: last.from, to: Math.max(last.to, span.to) });
    else joined.push(span);
  }
  return joined;
}

function cutAt(span: Span, { cuts, zone }: { readonly cuts: readonly number[]; readonly zone: string }): Span[] {
  const pieces: Span[] = [];
  for (let from = span.from; from < span.to; ) {
    const ends = [span.to, dayStart(addDays(localDay(from, zone), 1), zone), ...cuts];
    const to = Math.min(...ends.filter((end) => end > from));
    pieces.push({ from, to });
    from = to;
  }
  return pieces;
}

async function readChanges(
  own: Reader,
  { span, subject }: { readonly span: Span; readonly subject: Subject },
): Promise<(readonly [Counts, EventCount])[]> {
  const clicks = await countEvents(own, { kind: 'clicks', ...span, subject });
  const impressions = await countEvents(own, { kind: 'impressions', ...span, subject });
  return [
    ...clicks.map((row) => [{ ...noCounts, clicks: row.events, conversions: row.conversions }, row] as const),
    ...impressions.map((row) => [{ ...noCounts, impressions: row.events }, row] as const),
  ];
}

function add(counts: Map<number, Counts>, key: number, more: Counts): void {
  counts.set(key, addCounts(counts.get(key) ?? noCounts, more));
}

function holds(whole: WholeDays | null, day: number): boolean {
  if (whole === null) return false;
  return (whole.first === null || day >= whole.first) && (whole.last === null || day <= whole.last);
}

function readDaySums(
  own: Reader,
  { whole, subject, by }: Pick<Count, 'subject' | 'by'> & { readonly whole: WholeDays },
): Promise<Map<number, Counts>> {
  const { first, last } = whole;
  const conditions: readonly (Condition | null)[] = [
    first === null ? null : ['`day` >= ?', [first]],
    last === null ? null : ['`day` <= ?', [last]],
    ...conditionsOf(subject),
  ];
  return sumDays(own, { by, conditions, heavy: { over: adDays.table } });
}

interface EventsQuestion {
  readonly kind: EventKind;
  readonly from: number;
  readonly to: number;
  readonly subject: Subject;
}

interface EventCount {
  readonly ad: number;
  readonly day: number;
  readonly events: number;
  readonly conversions: number;
}

async function countEvents(reader: Reader, question: EventsQuestion): Promise<EventCount[]> {
  const { kind, from, to, subject } = question;
  const { table, columnOf } = events[kind];
  const at = `\`${columnOf('at')}\``;
  const conversions = kind === 'clicks' ? 'COUNT(`order_id`)' : '0';
  const { where, params } = whereOf([[`${at} >= ?`, [from]], [`${at} < ?`, [to]], ...conditionsOf(subject)]);
  const rows = await reader.select({
    sql: `SELECT \`ad\`, \`day\`, COUNT(*), ${conversions} FROM \`${table}\`${where} GROUP BY \`ad\`, \`day\``,
    params,
    heavy: { over: table },
  });
  return rows.map(([ad, day, events, orders]) => ({
    ad: Number(ad),
    day: Number(day),
    events: Number(events),
    conversions: Number(orders),
  }));
}
