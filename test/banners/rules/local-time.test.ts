/** Days and readings of clocks in zones that change them at odd hours, by odd amounts, or over midnight. */

import fc from 'fast-check';
import { DateTime } from 'luxon';
import { expect, test } from 'vitest';
import {
  addDays,
  dayStart,
  dayText,
  isTimeZone,
  localDay,
  localMoment,
  localTime,
  weekdayOf,
} from '../../../src/banners/rules/local-time.js';

const hour = 3_600_000;

/** Quarter hours, changes at midnight, changes of half an hour, no changes at all, both sides of the date line. */
const zones = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'America/Sao_Paulo',
  'America/Havana',
  'America/St_Johns',
  'Asia/Kathmandu',
  'Asia/Kolkata',
  'Asia/Beirut',
  'Africa/Cairo',
  'Australia/Lord_Howe',
  'Pacific/Chatham',
  'Pacific/Apia',
  'Pacific/Kiritimati',
  'Etc/GMT+12',
];

test.each<[name: string, zone: string, day: number, hours: number]>([
  ['a usual day', 'Europe/Berlin', 20261121, 24],
  ['clocks go forward', 'Europe/Berlin', 20260329, 23],
  ['clocks go back', 'Europe/Berlin', 20261025, 25],
  ['forward by half an hour', 'Australia/Lord_Howe', 20261004, 23.5],
  ['back by half an hour', 'Australia/Lord_Howe', 20260405, 24.5],
  ['forward at midnight, which does not exist', 'Africa/Cairo', 20260424, 23],
  ['back at midnight, to the day before', 'Africa/Cairo', 20261029, 25],
  ['back at one o’clock to midnight', 'America/Havana', 20261101, 25],
  ['a zone of quarter hours', 'Pacific/Chatham', 20260927, 23],
  ['a day that was left out', 'Pacific/Apia', 20111230, 0],
])('length of a day: %s', (_name, zone, day, hours) => {
  expect((dayStart(addDays(day, 1), zone) - dayStart(day, zone)) / hour).toBe(hours);
});

test.each<[name: string, zone: string, day: number, start: string]>([
  ['UTC', 'UTC', 20261121, '2026-11-21T00:00:00.000Z'],
  ['ahead by 5:45', 'Asia/Kathmandu', 20261121, '2026-11-20T18:15:00.000Z'],
  ['ahead by 14', 'Pacific/Kiritimati', 20261121, '2026-11-20T10:00:00.000Z'],
  ['behind by 12', 'Etc/GMT+12', 20261121, '2026-11-21T12:00:00.000Z'],
  ['no midnight', 'Africa/Cairo', 20260424, '2026-04-23T22:00:00.000Z'],
  ['midnight twice', 'America/Havana', 20261101, '2026-11-01T04:00:00.000Z'],
])('beginning of a day: %s', (_name, zone, day, start) => {
  expect(new Date(dayStart(day, zone)).toISOString()).toBe(start);
});

const moments = fc.integer({ min: Date.UTC(2012, 0, 1), max: Date.UTC(2037, 11, 31) });

test('a moment is in the day that began last, and that day is the one on the calendar', () => {
  fc.assert(
    fc.property(fc.constantFrom(...zones), moments, (zone, ms) => {
      const day = localDay(ms, zone);
      expect(dayStart(day, zone)).toBeLessThanOrEqual(ms);
      expect(dayStart(addDays(day, 1), zone)).toBeGreaterThan(ms);
      const shown = DateTime.fromMillis(ms, { zone });
      expect(dayText(day)).toBe(shown.toISODate());
      expect(localTime(ms, zone)).toEqual({ day, weekday: shown.weekday, hour: shown.hour, minute: shown.minute });
    }),
    { numRuns: 2000 },
  );
});

test('around every change of the clocks the days follow each other without a gap', () => {
  const wrong: unknown[] = [];
  for (const zone of zones) {
    for (let day = 20260101; day < 20280101; day = addDays(day, 1)) {
      const start = dayStart(day, zone);
      const [first, before] = [localDay(start, zone), localDay(start - 1, zone)];
      if (first !== day || before !== addDays(day, -1)) wrong.push([zone, day, first, before]);
    }
  }
  expect(wrong).toEqual([]);
});

test.each<[name: string, reading: Parameters<typeof localMoment>[0], moment: string]>([
  ['once', { day: 20261121, sinceMidnight: 9.5 * hour, which: 'first' }, '2026-11-21T08:30:00.000Z'],
  ['twice, the first', { day: 20261025, sinceMidnight: 2.5 * hour, which: 'first' }, '2026-10-25T00:30:00.000Z'],
  ['twice, the last', { day: 20261025, sinceMidnight: 2.5 * hour, which: 'last' }, '2026-10-25T01:30:00.000Z'],
  ['never', { day: 20260329, sinceMidnight: 2.5 * hour, which: 'first' }, '2026-03-29T01:00:00.000Z'],
])('a reading that the clocks of Berlin show %s', (_name, reading, moment) => {
  expect(new Date(localMoment(reading, 'Europe/Berlin')).toISOString()).toBe(moment);
});

test('weekdays, months and years as the calendar has them', () => {
  expect([20261116, 20261121, 20261122].map(weekdayOf)).toEqual([1, 6, 7]);
  expect([addDays(20261231, 1), addDays(20240301, -1), addDays(20260301, -1), addDays(20261121, -365)]).toEqual([
    20270101, 20240229, 20260228, 20251121,
  ]);
});

test('names of zones', () => {
  expect(['UTC', 'Europe/Berlin', 'Mars/Base', '', '+02:00'].map(isTimeZone)).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
  expect(() => localDay(0, 'Mars/Base')).toThrow(RangeError);
});
