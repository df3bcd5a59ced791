/** Days and hours of a time zone. A day is written as its digits, 20261121. The days of a zone have no gaps. */

import { IANAZone } from 'luxon';
import { dayMs, minuteMs } from '../../values/dates.js';

interface DaySpan {
  readonly day: number;
  readonly from: number;
  readonly to: number;
}

const hourMs = 60 * minuteMs;

export function isTimeZone(name: string): boolean {
  return IANAZone.isValidZone(name);
}

export function localDay(ms: number, zone: string): number {
  const last = lastSpans.get(zone);
  if (last !== undefined && ms >= last.from && ms < last.to) return last.day;
  const span = daySpan(ms, zone);
  if (lastSpans.size >= rememberedZones) lastSpans.clear();
  lastSpans.set(zone, span);
  return span.day;
}

/** The first millisecond of a day, which need not be midnight. */
export function dayStart(day: number, zone: string): number {
  const midnight = utcMidnight(day);
  const offset = offsetAt(midnight - offsetAt(midnight, zone), zone);
  const likely = midnight - offset;
  if (reaches(likely, midnight, zone) && !reaches(likely - 1, midnight, zone)) return likely;
  return firstReaching(midnight, zone);
}

export function addDays(day: number, count: number): number {
  return digitsOf(utcMidnight(day) + count * dayMs);
}

export function weekdayOf(day: number): number {
  return ((((utcMidnight(day) / dayMs + 3) % 7) + 7) % 7) + 1;
}

export function dayText(day: number): string {
  const digits = String(day).padStart(8, '0');
  return `${digits.slice(0, 4)}-${digits.slice(4, 6)}-${digits.slice(6)}`;
}

export function localTime(ms: number, zone: string) {
  const shown = ms + offsetAt(ms, zone);
  const sinceMidnight = ((shown % dayMs) + dayMs) % dayMs;
  const day = digitsOf(shown);
  return {
    day,
    weekday: weekdayOf(day),
    hour: Math.floor(sinceMidnight / hourMs),
    minute: Math.floor((sinceMidnight % hourMs) / minuteMs),
  };
}

interface ClockReading {
  readonly day: number;
  readonly sinceMidnight: number;
  /** Which moment is meant if clocks are set back and show the time twice. */
  readonly which: 'first' | 'last';
}

const localForm = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2}))?)?$/;

/** Reads `2026-11-21`, `2026-11-21 09:30` or `2026-11-21T09:30:00`; `sinceMidnight` is null for a day alone. */
export function parseLocalTime(text: string): { readonly day: number; readonly sinceMidnight: number | null } | null {
  const [, year, month, date, hour, minute, second = '00'] = localForm.exec(text) ?? [];
  const day = Number(`${year}${month}${date}`);
  if (year === undefined || digitsOf(utcMidnight(day)) !== day) return null;
  if (hour === undefined) return { day, sinceMidnight: null };
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null;
  return { day, sinceMidnight: Number(hour) * hourMs + Number(minute) * minuteMs + Number(second) * 1000 };
}

/** If the clocks skip the reading, the moment of the change. */
export function localMoment({ day, sinceMidnight, which }: ClockReading, zone: string): number {
  const shown = utcMidnight(day) + sinceMidnight;
  const possible = [shown - dayMs, shown + dayMs].map((moment) => shown - offsetAt(moment, zone));
  const found = possible.filter((moment) => moment + offsetAt(moment, zone) === shown);
  if (found.length > 0) return which === 'first' ? Math.min(...found) : Math.max(...found);
  return firstReaching(shown, zone);
}

/** Events arrive in order of time, so the last day of each zone is usually the next one. */
const lastSpans = new Map<string, DaySpan>();
const rememberedZones = 100;

const zones = new Map<string, IANAZone>();

function daySpan(ms: number, zone: string): DaySpan {
  const shown = digitsOf(ms + offsetAt(ms, zone));
  const from = dayStart(shown, zone);
  if (ms < from) return { day: addDays(shown, -1), from: dayStart(addDays(shown, -1), zone), to: from };
  const to = dayStart(addDays(shown, 1), zone);
  if (ms < to) return { day: shown, from, to };
  return { day: addDays(shown, 1), from: to, to: dayStart(addDays(shown, 2), zone) };
}

function reaches(ms: number, shown: number, zone: string): boolean {
  return ms + offsetAt(ms, zone) >= shown;
}

/** For days on which clocks change: searches for the moment. Every zone is within 16 hours of UTC. */
function firstReaching(shown: number, zone: string): number {
  let before = shown - 16 * hourMs;
  let after = shown + 16 * hourMs;
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (reaches(middle, shown, zone)) after = middle;
    else before = middle;
  }
  return after;
}

function offsetAt(ms: number, name: string): number {
  if (name === 'UTC') return 0;
  let zone = zones.get(name);
  if (zone === undefined) {
    zone = IANAZone.create(name);
    if (!zone.isValid) throw new RangeError('the time zone is not known');
    zones.set(name, zone);
  }
  return Math.round(zone.offset(ms) * minuteMs);
}

function utcMidnight(day: number): number {
  return Date.UTC(Math.floor(day / 10_000), Math.floor((day % 10_000) / 100) - 1, day % 100);
}

function digitsOf(shown: number): number {
  const date = new Date(shown);
  return date.getUTCFullYear() * 10_000 + (date.getUTCMonth() + 1) * 100 + date.getUTCDate();
}
