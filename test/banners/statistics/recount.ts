/**
 * Statistics, counted independently: every event looked at, its day read off the clocks of the zone. Shares
 * no code with the program.
 */
import { DateTime } from 'luxon';

export interface CountedEvent {
  readonly kind: 'click' | 'impression';
  readonly at: number;
  readonly ad: number;
  readonly position: number;
  readonly referrer: string;
  readonly ordered: boolean;
}

export interface Asked {
  readonly period: string;
  readonly from?: string;
  readonly to?: string;
  /** 0 = all. */
  readonly banner: number;
  readonly position: number;
  readonly now: number;
  readonly zone: string;
}

interface Limits {
  readonly from: number | null;
  readonly to: number | null;
}

const minute = 60_000;
const wall = (ms: number, zone: string) =>
  DateTime.fromMillis(ms, { zone }).toISO({ includeOffset: false })?.slice(0, 16).replace('T', ' ') ?? '';
const known = new Map<string, number>();

/** The search looks at a day of minutes; the same limit comes often. */
function remembered(key: string, find: () => number): number {
  const found = known.get(key) ?? find();
  known.set(key, found);
  return found;
}

/** The first whole minute at which the clocks show the text or more. */
function firstAt(text: string, zone: string): number {
  return remembered(`first ${text} ${zone}`, () => findFirst(text, zone));
}

function findFirst(text: string, zone: string): number {
  let at = Date.parse(`${text.replace(' ', 'T')}:00Z`) - 16 * 60 * minute;
  while (wall(at, zone) < text) at += minute;
  return at;
}

/** Just after the last minute at which the clocks show the text or less: one second of it where they show it. */
function lastAt(text: string, zone: string): number {
  return remembered(`last ${text} ${zone}`, () => findLast(text, zone));
}

function findLast(text: string, zone: string): number {
  let at = Date.parse(`${text.replace(' ', 'T')}:00Z`) + 16 * 60 * minute;
  while (wall(at, zone) > text) at -= minute;
  return wall(at, zone) === text ? at + 1000 : at + minute;
}

export function limitsOf({ period, from, to, now, zone }: Asked): Limits {
  if (from !== undefined || to !== undefined) {
    const whole = to !== undefined && to.length === 10;
    const next = whole ? DateTime.fromISO(to, { zone: 'UTC' }).plus({ days: 1 }).toISODate() : null;
    return {
      from: from === undefined ? null : firstAt(from.length === 10 ? `${from} 00:00` : from, zone),
      to: to === undefined ? null : whole ? firstAt(`${next} 00:00`, zone) : lastAt(to, zone),
    };
  }
  const today = DateTime.fromISO(wall(now, zone).slice(0, 10), { zone: 'UTC' });
  const monday = today.minus({ days: today.weekday - 1 });
  const days: Readonly<Record<string, readonly [DateTime, DateTime] | null>> = {
    all: null,
    today: [today, today],
    last_7_days: [today.minus({ days: 6 }), today],
    this_week: [monday, today],
    last_week: [monday.minus({ days: 7 }), monday.minus({ days: 1 })],
    this_month: [today.startOf('month'), today],
    last_month: [today.minus({ months: 1 }).startOf('month'), today.startOf('month').minus({ days: 1 })],
    this_year: [today.startOf('year'), today],
  };
  const found = days[period];
  if (found === undefined) throw new Error(`no such period: ${period}`);
  if (found === null) return { from: null, to: null };
  const [first, last] = found;
  return {
    from: firstAt(`${first.toISODate()} 00:00`, zone),
    to: firstAt(`${last.plus({ days: 1 }).toISODate()} 00:00`, zone),
  };
}

export function inside(events: readonly CountedEvent[], asked: Asked): CountedEvent[] {
  const { from, to } = limitsOf(asked);
  return events.filter(
    (event) =>
      (from === null || event.at >= from) &&
      (to === null || event.at < to) &&
      (asked.banner === 0 || event.ad === asked.banner) &&
      (asked.position === 0 || event.position === asked.position),
  );
}

export function figures(events: readonly CountedEvent[]) {
  const clicks = events.filter((event) => event.kind === 'click').length;
  const impressions = events.length - clicks;
  const conversions = events.filter((event) => event.ordered).length;
  const rate = (part: number, whole: number) => (whole === 0 ? null : Number(((part / whole) * 100).toFixed(2)));
  return { clicks, impressions, conversions, ctr: rate(clicks, impressions), cvr: rate(conversions, clicks) };
}

export function byDay(events: readonly CountedEvent[], asked: Asked) {
  const counted = inside(events, asked);
  const dateOf = (event: CountedEvent) => wall(event.at, asked.zone).slice(0, 10);
  const { from, to } = limitsOf(asked);
  const dates = new Set(counted.map(dateOf));
  if (from !== null) {
    const end = Math.min(asked.now, to === null ? asked.now : to - 1);
    const last = wall(end, asked.zone).slice(0, 10);
    for (let date = wall(from, asked.zone).slice(0, 10); date <= last; ) {
      dates.add(date);
      date = DateTime.fromISO(date, { zone: 'UTC' }).plus({ days: 1 }).toISODate() ?? '';
    }
  }
  return [...dates].sort().map((date) => ({ date, ...figures(counted.filter((event) => dateOf(event) === date)) }));
}

export function topBanners(events: readonly CountedEvent[], asked: Asked) {
  const counted = inside(events, asked);
  return [...new Set(counted.map(({ ad }) => ad))]
    .map((id) => ({ id, ...figures(counted.filter(({ ad }) => ad === id)) }))
    .sort((a, b) => b.impressions - a.impressions || b.clicks - a.clicks || a.id - b.id);
}

export function referrers(events: readonly CountedEvent[], asked: Asked) {
  const clicks = inside(events, asked).filter(({ kind }) => kind === 'click');
  return [...new Set(clicks.map(({ referrer }) => referrer))]
    .map((referrer) => ({ referrer, clicks: clicks.filter((click) => click.referrer === referrer).length }))
    .sort((a, b) => b.clicks - a.clicks || (a.referrer < b.referrer ? -1 : 1));
}
