/** Rates and changes of figures: two decimals, and no value where there is nothing to divide by. */
import { expect, test } from 'vitest';
import { type Counts, deltaOf, figuresOf } from '../../../src/banners/rules/figures.js';

const counts = (clicks: number, impressions: number, conversions: number): Counts => ({
  clicks,
  impressions,
  conversions,
});

test.each<[name: string, counts: Counts, ctr: number | null, cvr: number | null]>([
  ['the documented example', counts(22, 38, 0), 57.89, 0],
  ['nothing', counts(0, 0, 0), null, null],
  ['impressions without clicks', counts(0, 38, 0), 0, null],
  ['clicks without impressions', counts(4, 0, 1), null, 25],
  ['more clicks than impressions', counts(4, 3, 0), 133.33, 0],
  ['twice as many', counts(2, 1, 3), 200, 150],
  ['a third', counts(1, 3, 0), 33.33, 0],
  ['two thirds', counts(2, 3, 0), 66.67, 0],
  ['half of a hundredth goes up', counts(1, 800, 0), 0.13, 0],
  ['half of a hundredth that no sum of powers of two holds', counts(201, 20_000, 0), 1.01, 0],
])('%s', (_name, given, ctr, cvr) => {
  expect(figuresOf(given)).toEqual({ ...given, ctr, cvr });
});

test('the change of every figure', () => {
  const base = figuresOf(counts(22, 38, 2));
  expect(deltaOf(base, figuresOf(counts(11, 76, 1)))).toEqual({
    clicks: 100,
    impressions: -50,
    conversions: 100,
    // 57.89 against 14.47, 9.09 against 9.09
    ctr: 300.07,
    cvr: 0,
  });
});

test.each<[name: string, base: Counts, compare: Counts, delta: ReturnType<typeof deltaOf>]>([
  [
    'nothing and nothing',
    counts(0, 0, 0),
    counts(0, 0, 0),
    { clicks: 0, impressions: 0, conversions: 0, ctr: null, cvr: null },
  ],
  [
    'something against nothing',
    counts(1, 2, 1),
    counts(0, 0, 0),
    { clicks: null, impressions: null, conversions: null, ctr: null, cvr: null },
  ],
  [
    'nothing against something',
    counts(0, 0, 0),
    counts(1, 2, 1),
    { clicks: -100, impressions: -100, conversions: -100, ctr: null, cvr: null },
  ],
  [
    'rates of nothing against rates of nothing',
    counts(0, 5, 0),
    counts(0, 3, 0),
    { clicks: 0, impressions: 66.67, conversions: 0, ctr: 0, cvr: null },
  ],
  [
    'a loss of a third',
    counts(2, 2, 0),
    counts(3, 3, 0),
    { clicks: -33.33, impressions: -33.33, conversions: 0, ctr: 0, cvr: 0 },
  ],
])('the change from one to the other: %s', (_name, base, compare, delta) => {
  expect(deltaOf(figuresOf(base), figuresOf(compare))).toEqual(delta);
});
