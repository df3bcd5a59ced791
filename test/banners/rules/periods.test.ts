/** Names of periods and forms of limits, as ranges in a zone whose clocks change. */
import { expect, test } from 'vitest';
import {
  edgesOf,
  type LocalNow,
  parsePeriod,
  parseRange,
  periodTexts,
  rangeBefore,
  rangeOf,
  shownDays,
  wholeDaysOf,
} from '../../../src/banners/rules/periods.js';

/** A Saturday, 10:30 in Berlin. */
const clock: LocalNow = { now: Date.UTC(2026, 10, 21, 9, 30), zone: 'Europe/Berlin' };
const iso = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());

test.each<[name: string, from: string | null, to: string | null]>([
  ['all', null, null],
  ['overall', null, null],
  ['today', '2026-11-21', '2026-11-21'],
  ['last_7_days', '2026-11-15', '2026-11-21'],
  ['last7days', '2026-11-15', '2026-11-21'],
  ['7days', '2026-11-15', '2026-11-21'],
  ['this_week', '2026-11-16', '2026-11-21'],
  ['thisweek', '2026-11-16', '2026-11-21'],
  ['last_week', '2026-11-09', '2026-11-15'],
  ['lastweek', '2026-11-09', '2026-11-15'],
  ['this_month', '2026-11-01', '2026-11-21'],
  ['thismonth', '2026-11-01', '2026-11-21'],
  ['month', '2026-11-01', '2026-11-21'],
  ['last_month', '2026-10-01', '2026-10-31'],
  ['lastmonth', '2026-10-01', '2026-10-31'],
  ['this_year', '2026-01-01', '2026-11-21'],
  ['thisyear', '2026-01-01', '2026-11-21'],
])('%s', (name, from, to) => {
  const range = parseRange({ period: name }, clock);
  expect([range.fromText, range.toText]).toEqual([from, to]);
  expect(range.period).toBe(parsePeriod(name, 'period'));
});

test('the table above has every name', () => {
  expect(periodTexts).toHaveLength(17);
});

test.each<[name: string, now: string, period: Parameters<typeof rangeOf>[0], from: string, to: string]>([
  ['a Monday is the first day of its week', '2026-11-16T12:00:00Z', 'this_week', '2026-11-16', '2026-11-16'],
  ['a Sunday is the last day of its week', '2026-11-22T12:00:00Z', 'this_week', '2026-11-16', '2026-11-22'],
  ['January follows December', '2026-01-15T12:00:00Z', 'last_month', '2025-12-01', '2025-12-31'],
  ['a leap February', '2028-03-01T12:00:00Z', 'last_month', '2028-02-01', '2028-02-29'],
  [
    'the last evening of a year is in the next one already',
    '2026-12-31T23:30:00Z',
    'this_year',
    '2027-01-01',
    '2027-01-01',
  ],
])('%s', (_name, now, period, from, to) => {
  const range = rangeOf(period, { now: Date.parse(now), zone: clock.zone });
  expect([range.fromText, range.toText]).toEqual([from, to]);
});

test.each<
  [name: string, texts: { from?: string; to?: string; period?: string }, from: string | null, to: string | null]
>([
  ['days', { from: '2026-10-25', to: '2026-10-25' }, '2026-10-24T22:00:00.000Z', '2026-10-25T23:00:00.000Z'],
  ['only from', { from: '2026-11-01' }, '2026-10-31T23:00:00.000Z', null],
  ['only to', { to: '2026-11-01' }, null, '2026-11-01T23:00:00.000Z'],
  [
    'minutes',
    { from: '2026-11-01 09:30', to: '2026-11-01T09:30' },
    '2026-11-01T08:30:00.000Z',
    '2026-11-01T08:30:01.000Z',
  ],
  [
    'seconds',
    { from: '2026-11-01T09:30:15', to: '2026-11-01 09:30:16' },
    '2026-11-01T08:30:15.000Z',
    '2026-11-01T08:30:17.000Z',
  ],
  [
    'an hour that occurs twice',
    { from: '2026-10-25 02:30', to: '2026-10-25 02:30' },
    '2026-10-25T00:30:00.000Z',
    '2026-10-25T01:30:01.000Z',
  ],
  [
    'an hour that is left out',
    { from: '2026-03-29 02:30', to: '2026-03-29 03:00' },
    '2026-03-29T01:00:00.000Z',
    '2026-03-29T01:00:01.000Z',
  ],
  [
    'nothing but what the clocks skip',
    { from: '2026-03-29 02:10', to: '2026-03-29 02:40' },
    '2026-03-29T01:00:00.000Z',
    '2026-03-29T01:00:00.000Z',
  ],
  ['limits win over the period', { from: '2026-11-01', period: 'today' }, '2026-10-31T23:00:00.000Z', null],
])('limits: %s', (_name, { period = 'all', ...texts }, from, to) => {
  const range = parseRange({ period, ...texts }, clock);
  expect([iso(range.from), iso(range.to), range.period]).toEqual([from, to, 'custom']);
});

test('limits are shown in one form', () => {
  const { fromText, toText } = parseRange({ period: 'all', from: '2026-11-01T09:30', to: '2026-11-02' }, clock);
  expect([fromText, toText]).toEqual(['2026-11-01 09:30:00', '2026-11-02']);
});

test.each<[name: string, texts: { from?: string; to?: string; period?: string }, message: RegExp]>([
  ['an unknown period', { period: 'yesterday' }, /^period must be one of all, today, /],
  ['a name of every object', { period: 'constructor' }, /^period must be/],
  ['an unknown period with limits', { period: 'x', from: '2026-11-01' }, /^period must be/],
  ['a day that is not on the calendar', { from: '2026-02-30' }, /^from must be a date/],
  ['a thirteenth month', { to: '2026-13-01' }, /^to must be a date/],
  ['an hour that no clock shows', { to: '2026-11-01 24:00' }, /^to must be a date/],
  ['a sixtieth minute', { from: '2026-11-01 10:60' }, /^from must be/],
  ['an offset', { from: '2026-11-01T10:00:00Z' }, /^from must be/],
  ['digits of seconds', { from: '1793523600' }, /^from must be/],
  ['a year before computers', { from: '1969-12-31' }, /^from must be/],
  ['a space in front', { from: ' 2026-11-01' }, /^from must be/],
  ['from later than to', { from: '2026-11-02', to: '2026-11-01' }, /^from must not be later than to$/],
  ['from later than to on one day', { from: '2026-11-01 10:00:02', to: '2026-11-01 10:00' }, /^from must not/],
])('refused: %s', (_name, { period = 'all', ...texts }, message) => {
  expect(() => parseRange({ period, ...texts }, clock)).toThrow(
    expect.objectContaining({ code: 'bad_request', message: expect.stringMatching(message) }),
  );
});

test('splits a range into whole days and its ends', () => {
  const range = parseRange({ period: 'all', from: '2026-11-01 09:30', to: '2026-11-04 09:29:59' }, clock);
  const whole = wholeDaysOf(range, clock.zone);
  expect(whole).toEqual({ first: 20261102, last: 20261103 });
  expect(edgesOf(range, whole, clock.zone).map(({ from, to }) => [iso(from), iso(to)])).toEqual([
    ['2026-11-01T08:30:00.000Z', '2026-11-01T23:00:00.000Z'],
    ['2026-11-03T23:00:00.000Z', '2026-11-04T08:30:00.000Z'],
  ]);
});

test('a range over one midnight holds no whole day', () => {
  const range = parseRange({ period: 'all', from: '2026-11-01 22:00', to: '2026-11-02 02:00' }, clock);
  expect(wholeDaysOf(range, clock.zone)).toBeNull();
  expect(edgesOf(range, null, clock.zone)).toEqual([{ from: range.from, to: range.to }]);
});

test('the days of a list end with today and begin with the range', () => {
  const days = (from?: string, to?: string) =>
    shownDays(parseRange({ period: 'all', ...(from ? { from } : {}), ...(to ? { to } : {}) }, clock), clock);
  expect(days('2026-11-20', '2027-01-01')).toEqual([20261120, 20261121]);
  expect(days('2026-11-20')).toEqual([20261120, 20261121]);
  expect(days('2026-11-18 23:00', '2026-11-19 01:00')).toEqual([20261118, 20261119]);
  expect(days('2026-12-01')).toEqual([]);
  expect(days(undefined, '2026-11-20')).toBeNull();
});

test.each([
  ['2026-10-01', '2026-10-31', '2026-09-01', '2026-09-30'],
  ['2026-01-01', '2026-02-28', '2025-11-01', '2025-12-31'],
  ['2026-01-01', '2026-12-31', '2025-01-01', '2025-12-31'],
  ['2026-10-02', '2026-10-31', '2026-09-02', '2026-10-01'],
  ['2026-11-09', '2026-11-15', '2026-11-02', '2026-11-08'],
])('before %s to %s are as many whole months, else as many days', (from, to, first, last) => {
  const before = rangeBefore(parseRange({ period: 'all', from, to }, clock), clock);
  expect([before?.fromText, before?.toText]).toEqual([first, last]);
});
