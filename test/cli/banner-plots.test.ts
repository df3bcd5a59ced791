/** The plots of `hcd banner stats` as whole texts: widths, blocks and ASCII, colour, parts that do not fit. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type BarRow, barPlot } from '../../commands/banner/plots/bar-plot.js';
import { type Comparison, comparePlot } from '../../commands/banner/plots/compare-plot.js';
import { type DayValue, dayPlot, roundAbove, sparkline } from '../../commands/banner/plots/day-plot.js';
import {
  changeText,
  countText,
  fitText,
  isUtf8,
  type PlotStyle,
  percentText,
  plotStyle,
  shortDate,
} from '../../commands/banner/plots/plot-style.js';
import { statisticsPlot, totalsLine } from '../../commands/banner/plots/statistics-plot.js';
import { displayWidth } from '../../commands/terminal-text.js';
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

const banners: readonly BarRow[] = [
  { id: 3, name: 'Spring sale of tents', impressions: 5301, clicks: 170, conversions: 9, ctr: 3.21 },
  {
    id: 12,
    name: 'Guided tours with a very long name that no table has room for',
    impressions: 2650,
    clicks: 13,
    conversions: 0,
    ctr: 0.49,
  },
  { id: 7, name: '登山用品 sale', impressions: 900, clicks: 2, conversions: 1, ctr: 0.22 },
  { id: 9, name: 'Clear\u001b[2Jscreen', impressions: 1, clicks: 0, conversions: 0, ctr: 0 },
  { id: 1, name: 'Never shown', impressions: 0, clicks: 4, conversions: 0, ctr: null },
];

const week = (start: number, scale: number) =>
  days(7, scale).map(({ value }, index) => ({
    date: `2026-11-${String(start + index).padStart(2, '0')}`,
    impressions: value * 10,
    clicks: Math.round(value / 3),
  }));

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

const comparison: Comparison = {
  base: {
    name: 'this_week',
    figures: { impressions: 12_345, clicks: 456, ctr: 3.69, conversions: 0, cvr: 0 },
    days: week(16, 100),
  },
  compare: {
    name: 'last_week',
    figures: { impressions: 11_003, clicks: 501, ctr: 4.55, conversions: 0, cvr: null },
    days: week(9, 60),
  },
  delta: { impressions: 12.2, clicks: -8.98, ctr: -18.9, conversions: 0, cvr: null },
};

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
  ['bars', barPlot(banners, unicode(100))],
  ['bars-ascii', barPlot(banners, ascii(100))],
  ['bars-narrow', barPlot(banners, unicode(44))],
  [
    'bars-by-clicks',
    barPlot(
      banners.map((row) => ({ ...row, impressions: 0, ctr: null })),
      unicode(80),
    ),
  ],
  ['bars-none', barPlot([], unicode(80))],
  ['bars-colour', barPlot(banners.slice(0, 2), { ...unicode(80), paint: tagged })],
  ['compare', comparePlot(comparison, unicode(80))],
  ['compare-ascii', comparePlot(comparison, ascii(80))],
  ['compare-narrow', comparePlot(comparison, unicode(30))],
  ['compare-today', comparePlot({ ...comparison, today: '2026-11-22' }, unicode(80))],
  ['compare-today-narrow', comparePlot({ ...comparison, today: '2026-11-22' }, ascii(34))],
  ['compare-colour', comparePlot(comparison, { ...unicode(80), paint: tagged })],
  ['totals', totalsLine(comparison.base.figures, unicode(80))],
  ['totals-narrow', totalsLine(comparison.base.figures, unicode(40))],
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

  test('no line of a comparison is wider than the terminal', () => {
    const names = fc.constantFrom('this_week', 'last_7_days', 'this_year', 'all');
    const figure = fc.integer({ min: 0, max: 3_000_000_000 });
    fc.assert(
      fc.property(
        fc.integer({ min: 30, max: 120 }),
        names,
        names,
        figure,
        fc.boolean(),
        (width, one, two, most, is) => {
          const figures = { impressions: most, clicks: most, ctr: 100, conversions: most, cvr: null };
          const side = { figures, days: comparison.base.days };
          const text = comparePlot(
            { base: { name: one, ...side }, compare: { name: two, ...side }, delta: comparison.delta },
            { width, unicode: is, paint: plain },
          );
          for (const line of text.split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(width);
        },
      ),
    );
  });

  test('no line of the whole picture is wider than a terminal of 40 columns or more', () => {
    const count = fc.integer({ min: 0, max: 3_000_000 });
    const rate = fc.constantFrom(null, 0, 57.89, 133.33, 12_345.67);
    const periods = fc.constantFrom('this_year', 'last_7_days', 'custom', 'all');
    fc.assert(
      fc.property(
        fc.integer({ min: 40, max: 120 }),
        fc.record({ impressions: count, clicks: count, ctr: rate, conversions: count, cvr: rate, period: periods }),
        fc.integer({ min: 1, max: 400 }),
        fc.boolean(),
        (width, figures, length, is) => {
          const text = statisticsPlot(
            {
              summary: { ...figures, from: '2026-01-01', to: '2026-11-21' },
              days: days(length, figures.clicks).map(({ date, value }) => ({ ...figures, date, clicks: value })),
              top: banners,
              banners: 12,
              zone: 'America/Argentina/ComodRivadavia',
            },
            { width, unicode: is, paint: plain },
          );
          for (const line of text.split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(width);
        },
      ),
    );
  });

  test('what happened is never drawn as nothing, and nothing never as something', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 100_000 }), { minLength: 2, maxLength: 20 }), (values) => {
        const line = sparkline(values, Math.max(1, ...values), { unicode: true });
        expect([...line].map((glyph) => glyph !== ' ')).toEqual(values.map((value) => value > 0));
      }),
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

  test('names are cut to a width and cannot steer the terminal', () => {
    expect([
      fitText('Spring', 8, { unicode: true }),
      fitText('Spring sale', 8, { unicode: true }),
      fitText('Spring sale', 8, { unicode: false }),
      fitText('登山用品店', 6, { unicode: true }),
      fitText('a\u001bb', 10, { unicode: true }),
    ]).toEqual(['Spring  ', 'Spring …', 'Spring ~', '登山… ', 'a\\u001bb  ']);
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
