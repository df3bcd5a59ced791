/** Durations and points in time as people type them: `90s`, `15m`, `12h`, `90d`; ISO 8601 or Unix seconds. */
import { accept, type Checked } from '../values/checked.js';
import { timeText } from '../values/dates.js';
import { refusal, type ValueType } from './value-type.js';

const unitSeconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };
/** A thousand years: beyond it dates stop being ISO 8601 with four digits. */
const longestSeconds = 365_000 * 86_400;

function parseDuration(text: string, accepts: string): Checked<number> {
  const match = /^(\d{1,12})([smhd])$/.exec(text.trim());
  const seconds = Number(match?.[1]) * (unitSeconds[match?.[2] ?? ''] ?? Number.NaN);
  return seconds <= longestSeconds ? accept(seconds) : refusal(accepts, text);
}

function formatDuration(seconds: number): string {
  for (const unit of ['d', 'h', 'm']) {
    const size = unitSeconds[unit] ?? 1;
    if (seconds >= size && seconds % size === 0) return `${seconds / size}${unit}`;
  }
  return `${seconds}s`;
}

const durationAccepts = 'a duration such as 90s, 15m, 12h or 90d';
const secondsAccepts = `a number of seconds, or ${durationAccepts}`;
const timeAccepts = 'a time as ISO 8601 with Z or an offset (2026-11-21T09:30:00Z), a date, or Unix seconds';

/** A duration with its unit, in seconds. A bare number is refused, since its unit would be a guess. */
export const durationValue: ValueType<number> = {
  kind: 'duration',
  accepts: durationAccepts,
  parse: (text) => parseDuration(text, durationAccepts),
  format: formatDuration,
};

/** Seconds: a bare whole number, or a duration with its unit. For flags that are documented in seconds. */
export const secondsValue: ValueType<number> = {
  kind: 'duration',
  accepts: secondsAccepts,
  parse: (text) => parseDuration(/^\d+$/.test(text.trim()) ? `${text.trim()}s` : text, secondsAccepts),
  format: formatDuration,
};

const isoPattern = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?(Z|[+-]\d{2}:?\d{2}))?$/;

function offsetMinutes(zone: string): number {
  if (zone === 'Z') return 0;
  const [, sign, hours, minutes] = /^([+-])(\d{2}):?(\d{2})$/.exec(zone) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}

function isoSeconds(text: string): number {
  const match = isoPattern.exec(text);
  if (!match) return Number.NaN;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((part) => Number(part ?? 0));
  const instant = new Date(Date.UTC(year, month - 1, day, hour, minute, second));
  // Date.UTC carries 30 February over into March, and takes the year 1 for 1901: only what comes back unchanged exists.
  const isDate =
    instant.getUTCFullYear() === year && instant.getUTCMonth() === month - 1 && instant.getUTCDate() === day;
  const exists = isDate && hour < 24 && minute < 60 && second < 60;
  const offset = offsetMinutes(match[7] ?? 'Z');
  return exists && Math.abs(offset) <= 14 * 60 ? instant.getTime() / 1000 - offset * 60 : Number.NaN;
}

/** A point in time, in Unix seconds. A date alone is its midnight UTC; a time needs `Z` or an offset. */
export const timeValue: ValueType<number> = {
  kind: 'time',
  accepts: timeAccepts,
  parse(text) {
    const trimmed = text.trim();
    const seconds = /^\d{5,11}$/.test(trimmed) ? Number(trimmed) : isoSeconds(trimmed);
    return Number.isNaN(seconds) ? refusal(timeAccepts, text) : accept(seconds);
  },
  format: timeText,
};

const optionalAccepts = `${timeAccepts}, or empty for none`;

/** A point in time, in Unix seconds; an empty text means no time. */
export const optionalTimeValue: ValueType<number | null> = {
  kind: 'time',
  accepts: optionalAccepts,
  parse(text) {
    if (text.trim() === '') return accept(null);
    const parsed = timeValue.parse(text);
    return parsed.ok ? parsed : refusal(optionalAccepts, text);
  },
  format: (seconds) => (seconds === null ? '' : timeValue.format(seconds)),
};
