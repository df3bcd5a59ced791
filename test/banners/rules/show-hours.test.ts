/** Hours of the week: what the lists mean, and that the bits which the database searches mean the same. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hourBits, isWithinHours, momentBits, whyOff } from '../../../src/banners/rules/targeting.js';

const at = (iso: string): number => Date.parse(iso);
const office = { days: [1, 2, 3, 4, 5], hours: [9, 10, 11, 12, 13, 14, 15, 16, 17] };

describe('hours', () => {
  test.each<[name: string, hours: Parameters<typeof isWithinHours>[0], moment: string, zone: string, is: boolean]>([
    ['always', null, '2026-11-21T03:00:00Z', 'UTC', true],
    ['a Friday in office hours', office, '2026-11-20T09:00:00Z', 'UTC', true],
    ['the last second of them', office, '2026-11-20T17:59:59Z', 'UTC', true],
    ['the second after them', office, '2026-11-20T18:00:00Z', 'UTC', false],
    ['a Saturday', office, '2026-11-21T09:00:00Z', 'UTC', false],
    ['the same moment in another zone', office, '2026-11-20T17:30:00Z', 'Europe/Berlin', false],
    ['Sunday is 7', { days: [7], hours: [] }, '2026-11-22T12:00:00Z', 'UTC', true],
    ['Monday is 1', { days: [1], hours: [] }, '2026-11-22T23:30:00Z', 'Europe/Berlin', true],
    ['hour 0', { days: [], hours: [0] }, '2026-11-22T00:59:59Z', 'UTC', true],
    ['hour 23', { days: [], hours: [23] }, '2026-11-22T23:00:00Z', 'UTC', true],
  ])('%s', (_name, hours, moment, zone, is) => {
    expect(isWithinHours(hours, at(moment), zone)).toBe(is);
  });

  test('stores bits that equal the lists', () => {
    const list = (min: number, max: number) => fc.uniqueArray(fc.integer({ min, max }));
    const hours = fc.option(fc.record({ days: list(1, 7), hours: list(0, 23) }));
    const moments = fc.integer({ min: at('2020-01-01T00:00:00Z'), max: at('2030-01-01T00:00:00Z') });
    const zones = fc.constantFrom('UTC', 'Europe/Berlin', 'America/St_Johns', 'Asia/Kathmandu', 'Pacific/Apia');
    fc.assert(
      fc.property(hours, moments, zones, (showHours, moment, zone) => {
        const stored = hourBits(showHours);
        const now = momentBits(moment, zone);
        const found =
          (stored.days === 0 || (stored.days & now.days) !== 0) &&
          (stored.hours === 0 || (stored.hours & now.hours) !== 0);
        expect(found).toBe(isWithinHours(showHours, moment, zone));
      }),
    );
  });
});

describe('dates', () => {
  const seconds = at('2026-11-21T12:00:00Z') / 1000;
  test.each<[name: string, start: number | null, end: number | null, is: boolean]>([
    ['unbounded', null, null, true],
    ['from this second on', seconds, null, true],
    ['from the next second on', seconds + 1, null, false],
    ['up to this second', null, seconds, true],
    ['up to the last second', null, seconds - 1, false],
  ])('%s', (_name, start, end, is) => {
    const moment = { ms: seconds * 1000 + 999, zone: 'UTC' };
    expect(whyOff({ active: 1, start, end, show_hours: null }, moment) === null).toBe(is);
  });
});
