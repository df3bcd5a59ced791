/** Ranges of time for statistics (docs/banners-statistics.md#ranges). Explicit limits win over a named period. */
import { AppError } from '../../errors/app-error.js';
import { dayMs, minuteMs } from '../../values/dates.js';
import {
  addDays,
  dayStart,
  dayText,
  localDay,
  localMoment,
  localTime,
  parseLocalTime,
  weekdayOf,
} from './local-time.js';

export const periodNames = [
  'all',
  'today',
  'last_7_days',
  'this_week',
  'last_week',
  'this_month',
  'last_month',
  'this_year',
] as const;

export type PeriodName = (typeof periodNames)[number];

const aliases: Readonly<Record<string, PeriodName>> = Object.freeze({
  overall: 'all',
  last7days: 'last_7_days',
  '7days': 'last_7_days',
  thisweek: 'this_week',
  lastweek: 'last_week',
  thismonth: 'this_month',
  month: 'this_month',
  lastmonth: 'last_month',
  thisyear: 'this_year',
});

export const periodTexts: readonly string[] = Object.freeze([...periodNames, ...Object.keys(aliases)]);

/** Limits in Unix milliseconds. */
export interface Range {
  readonly period: PeriodName | 'custom';
  readonly from: number | null;
  /** The first moment after the range; null = no end. */
  readonly to: number | null;
  /** As shown: `2026-11-01`, or `2026-11-01 09:30:00` where a time was given. */
  readonly fromText: string | null;
  readonly toText: string | null;
}

export interface LocalNow {
  readonly now: number;
  readonly zone: string;
}

export interface RangeTexts {
  readonly period: string;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

export function parsePeriod(text: string, parameter: string): PeriodName {
  const found = periodNames.find((name) => name === text) ?? (Object.hasOwn(aliases, text) ? aliases[text] : undefined);
  if (found === undefined)
    throw new AppError('bad_request', { message: `${parameter} must be one of ${periodTexts.join(', ')}` });
  return found;
}

export function parseRange({ period, from, to }: RangeTexts, clock: LocalNow): Range {
  const named = parsePeriod(period, 'period');
  if (from === undefined && to === undefined) return rangeOf(named, clock);
  const first = from === undefined ? null : parseLimit('from', from, clock.zone);
  const last = to === undefined ? null : parseLimit('to', to, clock.zone);
  const isEmpty = first !== null && last !== null && first.at >= last.at;
  // A time that the clocks skip makes an empty range, which is not an error.
  if (isEmpty && first.clock > last.clock) throw badLimit('from', 'must not be later than to');
  return {
    period: 'custom',
    from: first?.at ?? null,
    to: isEmpty ? first.at : (last?.at ?? null),
    fromText: first?.text ?? null,
    toText: last?.text ?? null,
  };
}

export function rangeOf(period: PeriodName, { now, zone }: LocalNow): Range {
  const today = localDay(now, zone);
  const [first, last] = daysOf(period, today);
  if (first === null) return { period, from: null, to: null, fromText: null, toText: null };
  return {
    period,
    from: dayStart(first, zone),
    to: dayStart(addDays(last, 1), zone),
    fromText: dayText(first),
    toText: dayText(last),
  };
}

/** As many days before it. Null for a range without a beginning. */
export function rangeBefore({ from, to }: Range, { now, zone }: LocalNow): Range | null {
  if (from === null) return null;
  const first = localDay(from, zone);
  const last = localDay(to === null ? now : Math.max(from, to - 1), zone);
  // Days have 23 to 25 hours.
  const days = Math.round((dayStart(last, zone) - dayStart(first, zone)) / dayMs) + 1;
  const areMonths = first % 100 === 1 && addDays(last, 1) % 100 === 1;
  const before = areMonths
    ? monthsBefore(first, monthOf(last) - monthOf(first) + 1)
    : addDays(first, -Math.max(1, days));
  return {
    period: 'custom',
    from: dayStart(before, zone),
    to: dayStart(first, zone),
    fromText: dayText(before),
    toText: dayText(addDays(first, -1)),
  };
}

function monthOf(day: number): number {
  return Math.floor(day / 10_000) * 12 + (Math.floor(day / 100) % 100) - 1;
}

function monthsBefore(day: number, count: number): number {
  const month = monthOf(day) - count;
  return Math.floor(month / 12) * 10_000 + ((month % 12) + 1) * 100 + 1;
}

/** Null = from the beginning. Weeks begin on Monday. */
function daysOf(period: PeriodName, today: number): readonly [first: number | null, last: number] {
  const monday = addDays(today, 1 - weekdayOf(today));
  const firstOfMonth = today - (today % 100) + 1;
  const lastOfLastMonth = addDays(firstOfMonth, -1);
  switch (period) {
    case 'all':
      return [null, today];
    case 'today':
      return [today, today];
    case 'last_7_days':
      return [addDays(today, -6), today];
    case 'this_week':
      return [monday, today];
    case 'last_week':
      return [addDays(monday, -7), addDays(monday, -1)];
    case 'this_month':
      return [firstOfMonth, today];
    case 'last_month':
      return [lastOfLastMonth - (lastOfLastMonth % 100) + 1, lastOfLastMonth];
    case 'this_year':
      return [today - (today % 10_000) + 101, today];
  }
}

interface Limit {
  readonly at: number;
  readonly text: string;
  /** Sorts as the clocks show it; the end of a day is behind its last second. */
  readonly clock: string;
}

const secondMs = 1000;

/** A bare `to` includes its day, one with a time its second. A time that occurs twice makes the range longer. */
function parseLimit(name: 'from' | 'to', text: string, zone: string): Limit {
  const reading = parseLocalTime(text);
  if (reading === null || reading.day < 1970_01_01) throw badLimit(name, limitAccepts);
  const { day, sinceMidnight } = reading;
  const shown = dayText(day);
  if (sinceMidnight === null) {
    const [first, clock] = name === 'from' ? [day, shown] : [addDays(day, 1), `${shown} 24`];
    return { at: dayStart(first, zone), text: shown, clock };
  }
  const moment = localMoment({ day, sinceMidnight, which: name === 'from' ? 'first' : 'last' }, zone);
  const { hour, minute } = localTime(moment, zone);
  // A time that the clocks skip has no second that could be included.
  const isShown = hour * 60 + minute === Math.floor(sinceMidnight / minuteMs);
  const at = name === 'from' || !isShown ? moment : moment + secondMs;
  const clock = `${shown} ${new Date(sinceMidnight).toISOString().slice(11, 19)}`;
  return { at, text: clock, clock };
}

const limitAccepts =
  'must be a date such as 2026-11-21, or with a time such as 2026-11-21 09:30 or 2026-11-21T09:30:00; the year is 1970 or later';

/** The details let callers whose parameters have other names report the problem. */
function badLimit(name: 'from' | 'to', problem: string): AppError {
  return new AppError('bad_request', { message: `${name} ${problem}`, details: { fields: { [name]: [problem] } } });
}

/** Null = the range is open at that end. */
export interface WholeDays {
  readonly first: number | null;
  readonly last: number | null;
}

/** Unix milliseconds; `to` is the first moment after it. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Null when the range holds no whole day. */
export function wholeDaysOf({ from, to }: Pick<Range, 'from' | 'to'>, zone: string): WholeDays | null {
  const first = from === null ? null : firstDayFrom(from, zone);
  const last = to === null ? null : addDays(localDay(to, zone), -1);
  return first !== null && last !== null && first > last ? null : { first, last };
}

export function edgesOf(range: Pick<Range, 'from' | 'to'>, whole: WholeDays | null, zone: string): readonly Span[] {
  const { from, to } = range;
  if (whole === null) return from === null || to === null ? [] : [{ from, to }];
  const edges: Span[] = [];
  if (from !== null && whole.first !== null) edges.push({ from, to: dayStart(whole.first, zone) });
  if (to !== null && whole.last !== null) edges.push({ from: dayStart(addDays(whole.last, 1), zone), to });
  return edges.filter((edge) => edge.from < edge.to);
}

/** Up to today; null for a range without a beginning. */
export function shownDays({ from, to }: Pick<Range, 'from' | 'to'>, { now, zone }: LocalNow): readonly number[] | null {
  if (from === null) return null;
  const today = localDay(now, zone);
  const last = to === null ? today : Math.min(today, localDay(to - 1, zone));
  const days: number[] = [];
  for (let day = localDay(from, zone); day <= last; day = addDays(day, 1)) days.push(day);
  return days;
}

function firstDayFrom(from: number, zone: string): number {
  const day = localDay(from, zone);
  return dayStart(day, zone) === from ? day : addDays(day, 1);
}
