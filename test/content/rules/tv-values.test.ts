/** The texts under which values of template variables are stored, by type. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { knownTimeZone, tvText } from '../../../src/content/rules/tv-values.js';
import type { JsonValue } from '../../../src/values/json.js';

const dublin = 'Europe/Dublin';
const read = (given: JsonValue, type: string, timeZone = dublin) => tvText(given, { type, timeZone });

describe('a value of a template variable', () => {
  const cases: readonly [name: string, type: string, given: JsonValue, text: string][] = [
    ['a day begins at midnight', 'date', '2026-07-01', '2026-07-01 00:00:00'],
    ['a time without seconds', 'date', '2026-07-01 09:30', '2026-07-01 09:30:00'],
    ['a time without offset is one of the site', 'date', '2026-07-01T09:30:15', '2026-07-01 09:30:15'],
    ['a time in UTC becomes one of the site', 'date', '2026-07-01T09:30:00Z', '2026-07-01 10:30:00'],
    ['an offset counts, and so does winter time', 'date', '2026-01-01T00:30:00+02:00', '2025-12-31 22:30:00'],
    ['fractions of a second are dropped', 'date', '2026-07-01T09:30:15.678', '2026-07-01 09:30:15'],
    ['a leap day', 'date', '2024-02-29', '2024-02-29 00:00:00'],
    ['no date', 'date', '', ''],
    ['no date, as PHP says it', 'date', '0', ''],
    ['a binding stays as it is', 'date', '@INHERIT 2026-01-01', '@INHERIT 2026-01-01'],
    ['tags are trimmed', 'tag', ' red , dark blue,\tgreen ', 'red,dark blue,green'],
    ['tags found by the CMS are trimmed', 'autotag', 'a ,b', 'a,b'],
    ['an address is not a tag', 'tag', '@me, you', '@me,you'],
    ['tags as a list', 'tag', [' red ', 'green', ''], 'red,green'],
    ['boxes as a list', 'checkbox', ['a', '', 'b'], 'a||b'],
    ['choices as a list', 'listbox-multiple', ['1', '0'], '1||0'],
    ['an empty list', 'listbox-multiple', [], ''],
    ['a list for a type of an extra', 'superboxselect', ['a', 'b'], 'a||b'],
    ['joined choices stay as they are', 'checkbox', 'a||b', 'a||b'],
    ['a text stays as it is', 'text', ' a, b ', ' a, b '],
    ['a number stays as it is', 'number', '007', '007'],
    ['an address stays as it is', 'url', 'http://example.org/', 'http://example.org/'],
  ];

  test.each(cases)('%s', (_name, type, given, text) => {
    expect(read(given, type)).toEqual({ ok: true, value: text });
  });

  const refused: readonly [name: string, type: string, given: JsonValue, problem: RegExp][] = [
    ['words for a date', 'date', 'next Tuesday', /^must be a date: 2026-11-21 or/],
    ['a day that the month does not have', 'date', '2026-02-29', /^must be a date/],
    ['an hour that no day has', 'date', '2026-02-01 24:00', /^must be a date/],
    ['seconds since 1970', 'date', '1700000000', /^must be a date/],
    ['a date of zeros', 'date', '0000-00-00 00:00:00', /^must be a date/],
    ['a list of dates', 'date', ['2026-01-01'], /^must be one value: the variable is of the type date$/],
    ['a list for a text', 'text', ['a'], /^must be one value/],
    ['a member with the separator', 'checkbox', ['a||b'], /^must not have "\|\|" in a member of the list/],
    ['a tag with a comma', 'tag', ['a,b'], /^must not have ","/],
  ];

  test.each(refused)('refuses %s', (_name, type, given, problem) => {
    expect(read(given, type)).toEqual({ ok: false, problem: expect.stringMatching(problem) });
  });

  test('has one form: what was stored is stored again', () => {
    const types = ['text', 'date', 'tag', 'autotag', 'checkbox', 'listbox-multiple', 'number', 'url', 'migx', 'other'];
    const moment = fc.date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true });
    const given = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 20 }),
      fc.array(fc.string({ maxLength: 5 }), { maxLength: 4 }),
      moment.map((date) => date.toISOString()),
      fc.constantFrom('a , b', '@INHERIT x', ' @select 1', '0', '2026-02-30'),
    );
    fc.assert(
      fc.property(given, fc.constantFrom(...types), (value, type) => {
        const first = read(value, type);
        if (first.ok) expect(read(first.value, type)).toEqual(first);
        else expect(first.problem).not.toBe('');
      }),
      { numRuns: 500 },
    );
  });

  test('an unknown time zone counts as UTC', () => {
    expect(['', 'Mars/Olympus', dublin].map(knownTimeZone)).toEqual(['UTC', 'UTC', dublin]);
  });
});
