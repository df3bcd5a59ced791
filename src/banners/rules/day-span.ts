/** How a range of time lies in the days of a zone: which days it holds whole, and what is left at its ends. */
import { addDays, dayStart, localDay } from './local-time.js';
import type { LocalNow, Range } from './periods.js';

/** First and last whole day; null = the range is open at that end. */
export interface WholeDays {
  readonly first: number | null;
  readonly last: number | null;
}

/** A stretch of time, Unix milliseconds; `to` is the first moment after it. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** The whole days of the range; null when it holds none. */
export function wholeDaysOf({ from, to }: Pick<Range, 'from' | 'to'>, zone: string): WholeDays | null {
  const first = from === null ? null : firstDayFrom(from, zone);
  const last = to === null ? null : addDays(localDay(to, zone), -1);
  return first !== null && last !== null && first > last ? null : { first, last };
}

/** What of the range is in no whole day, one or two stretches or none. */
export function edgesOf(range: Pick<Range, 'from' | 'to'>, whole: WholeDays | null, zone: string): readonly Span[] {
  const { from, to } = range;
  if (whole === null) return from === null || to === null ? [] : [{ from, to }];
  const edges: Span[] = [];
  if (from !== null && whole.first !== null) edges.push({ from, to: dayStart(whole.first, zone) });
  if (to !== null && whole.last !== null) edges.push({ from: dayStart(addDays(whole.last, 1), zone), to });
  return edges.filter((edge) => edge.from < edge.to);
}

/** The days that a list of the range shows, up to today: each of a range with a beginning, null for the others. */
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
