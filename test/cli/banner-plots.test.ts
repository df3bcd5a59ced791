/** The texts of `hcd banner stats` on a terminal: widths, blocks and ASCII, colour, parts that do not fit. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  countText,
  type DayValue,
  dayPlot,
  isUtf8,
  type PlotStyle,
  plotStyle,
  roundAbove,
  shortDate,
} from '../../commands/banner/day-plot.js';
import { changeText, comparisonText, percentText, statisticsText } from '../../commands/banner/stats-text.js';
import { displayWidth } from '../../commands/terminal-text.js';
import type { PeriodName } from '../../src/banners/rules/periods.js';
import { expectGolden } from '../support/golden.js';

const same = (text: string): string => text;
const plain = { bold: same, dim: same, red: same, green: same, yellow: same };
const tag =
  (name: string) =>
  (text: string): string =>
    `<${name}>${text}</${name}>`;
const tagged = { bold: tag('b'), dim: tag('dim'), red: tag('red'), green: tag('green'), yellow: tag('yellow') };

const unicode = (width: number): PlotStyle => ({ width, unicode: true, paint: plain });
const ascii = (width: number): PlotStyle => ({ width, unicode: false, paint: plain });

/** So many days from 15 September 2026 on, with a weekly pattern. */
function days(count: number, scale = 100): readonly DayValue[] {
  return Array.from({ length: count }, (_, index) => ({
    date: new Date(Date.UTC(2026, 8, 15 + index)).toISOString().slice(0, 10),
    value: Math.round(scale * (index % 7 < 5 ? 1 + ((index * 37) % 11) / 20 : 0.35)),
  }));
}

describe('the column of a day that is not over', () => {
  const draw = (count: number, style: PlotStyle, today = days(count).at(-1)?.date ?? '') =>
    dayPlot({ title: 'Clicks', days: days(count), tint: 'green', today }, style).split('\n');

  test.each([
    ['with room before it', 7, unicode(60), /^ *today so far ↑$/],
    ['as the only one', 1, unicode(60), /^ *↑ today so far$/],
    ['in ASCII', 30, ascii(60), /^ *today so far \^$/],
    ['of several days', 200, unicode(40), /^ *today so far ↑$/],
  ])('is marked %s', (_name, count, style, mark) => {
    const lines = draw(count, style);
    const found = lines.find((line) => line.includes('so far')) ?? '';
    expect(found).toMatch(mark);
    // The arrow is below something that is drawn.
    expect(lines[4]?.[found.search(/[↑^]/)]).not.toBe(' ');
    for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(style.width);
  });

  test('is not marked when the period ends before', () => {
    expect(draw(7, unicode(60), '2027-01-01').join('\n')).not.toContain('so far');
  });
});

const cases: readonly [name: string, text: string][] = [
  ['days-week', dayPlot({ title: 'Impressions per day', days: days(7, 1800), tint: 'yellow' }, unicode(80))],
  ['days-week-ascii', dayPlot({ title: 'Clicks per day', days: days(7), tint: 'green' }, ascii(80))],
  ['days-two-months', dayPlot({ title: 'Clicks per day', days: days(61), tint: 'green' }, unicode(80))],
  ['days-year-of-weeks', dayPlot({ title: 'Clicks per day', days: days(365), tint: 'green' }, unicode(80))],
  ['days-narrow-ascii', dayPlot({ title: 'Clicks per day', days: days(90), tint: 'green' }, ascii(30))],
  ['days-one', dayPlot({ title: 'Clicks per day', days: days(1, 3), tint: 'green' }, unicode(80))],
  ['days-none', dayPlot({ title: 'Clicks per day', days: days(7, 0), tint: 'green' }, unicode(80))],
  ['days-empty', dayPlot({ title: 'Clicks per day', days: [], tint: 'green' }, unicode(80))],
  [
    'days-colour',
    dayPlot({ title: 'Clicks per day', days: days(7), tint: 'green' }, { ...unicode(60), paint: tagged }),
  ],
];

describe('plots', () => {
  test.each(cases)('%s', (name, text) => {
    expectGolden(`cli/banner-plots/${name}.txt`, text);
  });

  test('no line is wider than the terminal, whatever the figures', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 30, max: 120 }),
        fc.integer({ min: 0, max: 800 }),
        fc.integer({ min: 0, max: 3_000_000 }),
        fc.boolean(),
        (width, count, scale, isUnicode) => {
          const style = { width, unicode: isUnicode, paint: plain };
          const text = dayPlot({ title: 'C', days: days(count, scale), tint: 'green' }, style);
          const [, ...lines] = text.split('\n');
          for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(width);
        },
      ),
      { numRuns: 300 },
    );
  });

  test('a value above 0 is drawn, and 0 is not', () => {
    const values = [0, 1, 100_000, 0, 3];
    const shown = values.map((value, index) => ({ date: `2026-11-1${index}`, value }));
    const lowest = dayPlot({ title: 'C', days: shown, tint: 'green' }, unicode(80)).split('\n')[4] ?? '';
    expect([...lowest.replace(/^.*│/, '').matchAll(/.{1,8}/g)].map(([cell]) => cell.trim() !== '')).toEqual(
      values.map((value) => value > 0),
    );
  });

  test('the scale ends at a round number above the most, whose half is whole', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 50_000_000 }), (value) => {
        const top = roundAbove(value);
        expect([top >= value, Number.isInteger(top / 2), top <= Math.max(2, value * 2)]).toEqual([true, true, true]);
      }),
    );
    expect([1, 2, 3, 95, 155, 2210].map(roundAbove)).toEqual([2, 2, 4, 100, 160, 3000]);
  });
});

describe('the whole text', () => {
  const rate = fc.constantFrom(null, 0, 57.89, 133.33, 12_345.67);
  const figures = (max: number) => {
    const count = fc.integer({ min: 0, max });
    return fc.record({ impressions: count, clicks: count, ctr: rate, conversions: count, cvr: rate });
  };
  const terminal = (columns: number, is: boolean) => ({
    output: { hasColour: false, columns },
    env: { LANG: is ? 'C.UTF-8' : 'C' },
    now: 0,
  });

  test('of a period has no line wider than a terminal of 40 columns or more, whatever the figures', () => {
    const periods = fc.constantFrom('this_year', 'last_7_days', 'custom', 'all');
    const names = ['Guided tours with a very long name that no table has room for', '登山用品 sale', 'Clear\u001b[2J'];
    fc.assert(
      fc.property(
        fc.integer({ min: 40, max: 120 }),
        figures(3_000_000),
        periods,
        fc.integer({ min: 1, max: 400 }),
        fc.boolean(),
        (width, found, period, length, is) => {
          const text = statisticsText(
            {
              summary: { ...found, period, from: '2026-01-01', to: '2026-11-21' },
              by_day: days(length, found.clicks).map(({ date, value }) => ({ ...found, date, clicks: value })),
              top: { rows: names.map((name, index) => ({ ...found, id: index + 1, name })), total: 12 },
              zone: 'America/Argentina/ComodRivadavia',
              today: '2026-11-21',
            },
            terminal(width, is),
          );
          for (const line of text.split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(width);
          expect(text).not.toContain('\u001b');
        },
      ),
    );
  });

  test('of a comparison has no line wider than a terminal of 30 columns or more, whatever the figures', () => {
    const names = fc.constantFrom('this_week', 'last_7_days', 'this_year', 'all');
    const delta = { impressions: 12.2, clicks: -8.98, ctr: -18.9, conversions: 0, cvr: null };
    fc.assert(
      fc.property(fc.integer({ min: 30, max: 120 }), names, names, figures(3_000_000_000), (width, one, two, found) => {
        const by_day = days(7).map(({ date }) => ({ ...found, date }));
        const side = (period: PeriodName) => ({ summary: { ...found, period, from: null, to: null }, by_day });
        const text = comparisonText({ base: side(one), compare: side(two), delta }, terminal(width, true));
        for (const line of text.split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(width);
      }),
    );
  });
});

describe('texts', () => {
  test('figures and dates', () => {
    expect([countText(0), countText(999), countText(1234567), percentText(null), percentText(133.3)]).toEqual([
      '0',
      '999',
      '1,234,567',
      '-',
      '133.30 %',
    ]);
    expect([changeText(0), changeText(12.2), changeText(-3), changeText(null), shortDate('2026-11-09')]).toEqual([
      '0.00 %',
      '+12.20 %',
      '-3.00 %',
      '-',
      '9 Nov',
    ]);
  });

  test.each([
    ['C.UTF-8 in LANG', { LANG: 'C.UTF-8' }, true],
    ['utf8 without a hyphen', { LC_CTYPE: 'de_DE.utf8', LANG: 'C' }, true],
    ['LC_ALL wins', { LC_ALL: 'C', LANG: 'en_GB.UTF-8' }, false],
    ['empty is unset', { LC_ALL: '', LANG: 'en_GB.UTF-8' }, true],
    ['nothing', {}, false],
    ['the text console', { LANG: 'en_GB.UTF-8', TERM: 'linux' }, false],
  ])('blocks are for UTF-8 terminals: %s', (_name, env, expected) => {
    expect(isUtf8(env)).toBe(expected);
  });

  test('plots stay between 30 and 120 columns', () => {
    expect([10, 80, 300].map((columns) => plotStyle({ columns, hasColour: false }, {}).width)).toEqual([30, 80, 120]);
  });
});
