/** Times of content in all their forms (docs/reference/http.md#times-and-flags). */

import { accept, type Checked, refuse } from './checked.js';

/** The last second that a stored time can hold (19 January 2038). */
export const lastStorableSecond = 2_147_483_647;
const lastWritableSecond = 253_402_300_799;
const firstStorableSecond = -2_147_483_648;

export const timeProblem =
  'must be ISO 8601 with an offset (2026-11-21T09:30:00Z) or Unix seconds, not after 2038-01-19T03:14:07Z';

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 86_400_000;

export const daySeconds = 86_400;
const keptDays = 10_000;
const days = new Map<number, string>();
const twoDigits: string[] = [];
for (let number = 0; number < 60; number += 1) twoDigits.push(String(number).padStart(2, '0'));

/** Null for 0, null and undefined. */
export function isoTimeOfSeconds(seconds: number | null | undefined): string | null {
  // Such a number is damage, not a time.
  return !seconds || Math.abs(seconds) > lastWritableSecond ? null : timeText(seconds);
}

export function isoTimeOfMs(milliseconds: number): string;
export function isoTimeOfMs(milliseconds: number | null): string | null;
export function isoTimeOfMs(milliseconds: number | null): string | null {
  return milliseconds === null ? null : timeText(milliseconds / 1000);
}

/** In UTC, as columns of dates hold it. */
export function sqlTime(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ');
}

export function timeText(seconds: number): string {
  const whole = Math.floor(seconds);
  const day = Math.floor(whole / daySeconds);
  const time = whole - day * daySeconds;
  const minutes = Math.floor(time / 60);
  // A tenth of the cost of the library's text.
  return `${dayText(day)}T${twoDigits[Math.floor(minutes / 60)]}:${twoDigits[minutes % 60]}:${twoDigits[time % 60]}Z`;
}

/** Counted from 1 January 1970. */
function dayText(day: number): string {
  const known = days.get(day);
  if (known !== undefined) return known;
  const text = new Date(day * daySeconds * 1000).toISOString().replace(/T.*/, '');
  if (days.size >= keptDays) days.clear();
  days.set(day, text);
  return text;
}

const isoForm =
  /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,]\d{1,9})?)?(?:([Zz])|([+-])(\d{2}):?(\d{2}))$/;

/** Nothing before it can be stored as a time of content. */
const firstStorableYear = 1901;

/** NaN for anything that is not an accepted form, and for a date before the year. */
export function timeSeconds(value: unknown, firstYear = firstStorableYear): number {
  return typeof value === 'number' ? value : typeof value === 'string' ? secondsOf(value, firstYear) : Number.NaN;
}

/** Fractions of a second are dropped; negative seconds are before 1970. */
export function parseTime(value: unknown): Checked<number> {
  const seconds = timeSeconds(value);
  if (!Number.isInteger(seconds) || seconds < firstStorableSecond || seconds > lastStorableSecond) {
    return refuse(timeProblem);
  }
  // Strict equality of objects distinguishes minus zero from 0.
  return accept(seconds + 0);
}

/** Like parseTime, but null and an empty text mean "not set" (0). */
export function parseOptionalTime(value: unknown): Checked<number> {
  return value === null || value === '' ? accept(0) : parseTime(value);
}

const cycle = { years: 400, seconds: 146_097 * daySeconds };

function secondsOf(text: string, firstYear: number): number {
  if (/^-?\d{1,11}$/.test(text)) return Number(text);
  const parts = isoForm.exec(text);
  if (!parts) return Number.NaN;
  const number = (index: number): number => Number(parts[index] ?? '0');
  const [year, month, day, hour, minute, second] = [1, 2, 3, 4, 5, 6].map(number);
  if (year === undefined || month === undefined || day === undefined) return Number.NaN;
  if (hour === undefined || minute === undefined || second === undefined) return Number.NaN;
  if (year < firstYear || month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return Number.NaN;
  if (hour > 23 || minute > 59 || second > 59 || number(9) > 14 || number(10) > 59) return Number.NaN;
  const offset = (number(9) * 60 + number(10)) * (parts[8] === '-' ? -1 : 1);
  // Years of two digits would be read as 19xx.
  return Date.UTC(year + cycle.years, month - 1, day, hour, minute - offset, second) / 1000 - cycle.seconds;
}

function daysIn(year: number, month: number): number {
  return new Date(Date.UTC(year + cycle.years, month, 0)).getUTCDate();
}
