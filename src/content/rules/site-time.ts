/** Dates as the CMS writes them into texts: `YYYY-MM-DD HH:MM:SS` in the time zone of the site. */

import { sqlTime } from '../../values/dates.js';

const form =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,]\d{1,9})?)?(?: ?([Zz])|([+-])(\d{2}):?(\d{2}))?)?$/;

/** The time in that form; null for a text that names none. A time without an offset is one of the site already. */
export function siteTime(text: string, timeZone: string): string | null {
  const parts = form.exec(text);
  if (!parts) return null;
  const number = (index: number): number => Number(parts[index] ?? '0');
  const [year, month, day, hour, minute, second] = [number(1), number(2), number(3), number(4), number(5), number(6)];
  const utc = new Date(0);
  utc.setUTCFullYear(year, month - 1, day);
  const isDay = utc.getUTCFullYear() === year && utc.getUTCMonth() === month - 1 && utc.getUTCDate() === day;
  if (!isDay || year === 0 || hour > 23 || minute > 59 || second > 59) return null;
  utc.setUTCHours(hour, minute, second);
  const sign = parts[8];
  if (parts[7] === undefined && sign === undefined) return sqlTime(utc.getTime() / 1000);
  if (number(9) > 14 || number(10) > 59) return null;
  const offset = (number(9) * 60 + number(10)) * (sign === '-' ? -1 : 1);
  return atZone(new Date(utc.getTime() - offset * 60_000), timeZone);
}

function atZone(moment: Date, timeZone: string): string | null {
  const year = moment.getUTCFullYear();
  // At the very edges another zone may show a year that the form has no place for.
  if (year < 2 || year > 9998) return null;
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  }).formatToParts(moment);
  const part = (type: Intl.DateTimeFormatPartTypes): string => parts.find((one) => one.type === type)?.value ?? '';
  const date = `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}`;
  return `${date} ${part('hour')}:${part('minute')}:${part('second')}`;
}

/** The zone that a setting of the CMS names; UTC where it is empty or names none. */
export function knownTimeZone(name: string): string {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name || 'UTC' }).resolvedOptions().timeZone;
  } catch {
    return 'UTC';
  }
}
