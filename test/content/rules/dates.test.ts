/** Times on the wire and in storage. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  isoTimeOfSeconds,
  lastStorableSecond,
  parseOptionalTime,
  parseTime,
  timeProblem,
} from '../../../src/values/dates.js';

describe('showing a time', () => {
  const cases: [seconds: number | null | undefined, text: string | null][] = [
    [0, null],
    [null, null],
    [undefined, null],
    [1, '1970-01-01T00:00:01Z'],
    [-1, '1969-12-31T23:59:59Z'],
    [1_795_253_400, '2026-11-21T09:30:00Z'],
    [lastStorableSecond, '2038-01-19T03:14:07Z'],
    [9e15, null],
  ];

  test.each(cases)('%s', (seconds, text) => {
    expect(isoTimeOfSeconds(seconds)).toBe(text);
  });
});

describe('reading a time', () => {
  const good: [value: unknown, seconds: number][] = [
    ['2026-11-21T09:30:00Z', 1_795_253_400],
    ['2026-11-21T10:30:00+01:00', 1_795_253_400],
    ['2026-11-21T04:00:00-0530', 1_795_253_400],
    ['2026-11-21 09:30Z', 1_795_253_400],
    ['2026-11-21t09:30:00.999z', 1_795_253_400],
    ['2024-02-29T00:00:00Z', 1_709_164_800],
    [1_795_253_400, 1_795_253_400],
    ['1795253400', 1_795_253_400],
    [0, 0],
    [-0, 0],
    ['-86400', -86_400],
    ['2038-01-19T03:14:07Z', lastStorableSecond],
  ];

  test.each(good)('%j is accepted', (value, seconds) => {
    expect(parseTime(value)).toEqual({ ok: true, value: seconds });
  });

  const bad: unknown[] = [
    '2026-11-21T09:30:00',
    '2026-11-21',
    '21.11.2026',
    '2026-02-29T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-11-21T24:00:00Z',
    '2026-11-21T09:30:60Z',
    '2026-11-21T09:30:00+15:00',
    '0050-01-01T00:00:00Z',
    '2038-01-19T03:14:08Z',
    lastStorableSecond + 1,
    '2147483648',
    1.5,
    Number.NaN,
    '1e9',
    '0x10',
    ' 5',
    '',
    'now',
    null,
    true,
    {},
    [],
  ];

  test.each(bad.map((value) => [value]))('%j is refused with the accepted forms', (value) => {
    expect(parseTime(value)).toEqual({ ok: false, problem: timeProblem });
  });

  test('null and an empty text unset an optional time, other bad values do not', () => {
    expect([null, '', 'x'].map(parseOptionalTime)).toEqual([
      { ok: true, value: 0 },
      { ok: true, value: 0 },
      { ok: false, problem: timeProblem },
    ]);
  });

  test('what is shown reads back', () => {
    fc.assert(
      fc.property(fc.integer({ min: -2_147_483_648, max: lastStorableSecond }), (seconds) => {
        fc.pre(seconds !== 0);
        expect(parseTime(isoTimeOfSeconds(seconds))).toEqual({ ok: true, value: seconds });
      }),
    );
  });
});
