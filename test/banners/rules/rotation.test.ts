/** Rotations: order, exact proportions of weights, and the two halves of ab. */
import { describe, expect, test } from 'vitest';
import { type Candidate, type Rotation, rotate } from '../../../src/banners/rules/rotation.js';
import { seededRandom } from '../../support/seeded-random.js';

const candidates = (...weights: readonly number[]): Candidate[] =>
  weights.map((weight, at) => ({ link: { id: at + 1, idx: weights.length - at, weight } }));

const ids = (drawn: readonly Candidate[]): number[] => drawn.map(({ link }) => link.id);

const shown = (rotation: Rotation, candidates: readonly Candidate[], limit: number, random = () => 0) =>
  rotate({ rotation, candidates, limit, random, sticky: null }).shown;

/** Chi-square of counts against what is expected of them. */
function chiSquare(counts: ReadonlyMap<string, number>, expected: ReadonlyMap<string, number>): number {
  return [...expected].reduce((sum, [name, much]) => sum + ((counts.get(name) ?? 0) - much) ** 2 / much, 0);
}

/** One sample in a thousand million is above it, six standard deviations; Wilson and Hilferty's approximation. */
function critical(freedom: number): number {
  const spread = 2 / (9 * freedom);
  return freedom * (1 - spread + 6 * Math.sqrt(spread)) ** 3;
}

/** Every order of so many drawn, with its chance when each is drawn by its weight among those that are left. */
function orders(left: readonly Candidate[], limit: number): Map<string, number> {
  if (limit === 0 || left.length === 0) return new Map([['', 1]]);
  const total = left.reduce((sum, { link }) => sum + link.weight, 0);
  const chances = new Map<string, number>();
  for (const first of left) {
    const rest = left.filter((other) => other !== first);
    for (const [tail, chance] of orders(rest, limit - 1)) {
      chances.set(`${first.link.id} ${tail}`, (first.link.weight / total) * chance);
    }
  }
  return chances;
}

describe('proportions', () => {
  test.each([
    { name: 'weights 1, 2, 7, all of them', weights: [1, 2, 7], limit: 3, rotation: 'weighted' as const },
    { name: 'weights 1, 1, 5, 3, two of them', weights: [1, 1, 5, 3], limit: 2, rotation: 'weighted' as const },
    { name: 'one of 1 and 1000', weights: [1, 1000], limit: 1, rotation: 'weighted' as const },
    { name: 'random orders of four', weights: [1, 1, 1, 1], limit: 4, rotation: 'random' as const },
  ])('$name', ({ weights, limit, rotation }) => {
    const random = seededRandom('rotation');
    const all = candidates(...weights);
    const rounds = 240_000;
    const counts = new Map<string, number>();
    for (let round = 0; round < rounds; round += 1) {
      const order = `${ids(shown(rotation, all, limit, random)).join(' ')} `;
      counts.set(order, (counts.get(order) ?? 0) + 1);
    }
    const expected = new Map([...orders(all, limit)].map(([order, chance]) => [order, chance * rounds]));
    expect([...counts.keys()].filter((order) => !expected.has(order))).toEqual([]);
    expect(chiSquare(counts, expected)).toBeLessThan(critical(expected.size - 1));
  });

  test('ignores weights in random order', () => {
    const random = seededRandom('rotation');
    let heavy = 0;
    for (let round = 0; round < 10_000; round += 1) {
      if (ids(shown('random', candidates(1, 1000), 1, random))[0] === 2) heavy += 1;
    }
    expect(Math.abs(heavy - 5000)).toBeLessThan(300);
  });
});

test('idx is the order of the position, then of the links', () => {
  const all = [
    { link: { id: 3, idx: 1, weight: 1 } },
    { link: { id: 9, idx: 0, weight: 1 } },
    { link: { id: 2, idx: 1, weight: 1 } },
  ];
  expect(ids(shown('idx', all, 10))).toEqual([9, 2, 3]);
  expect(ids(shown('idx', all, 2))).toEqual([9, 2]);
});

test('draws no banner twice', () => {
  for (const chance of [0, 0.5, 1 - 2 ** -53]) {
    const drawn = shown('weighted', candidates(1, 2, 3, 4), 10, () => chance);
    expect(ids(drawn).sort()).toEqual([1, 2, 3, 4]);
  }
  expect(shown('weighted', [], 3)).toEqual([]);
});

describe('ab', () => {
  const two = candidates(1, 9);
  test.each([
    { name: 'the first half', random: 0.49, sticky: null, expected: [2], chosen: 2 },
    { name: 'the second half', random: 0.5, sticky: null, expected: [1], chosen: 1 },
    { name: 'the one before, against chance', random: 0, sticky: 1, expected: [1], chosen: 1 },
    { name: 'a choice that is no longer there', random: 0, sticky: 77, expected: [2], chosen: 2 },
  ])('$name', ({ random, sticky, expected, chosen }) => {
    const choice = rotate({ rotation: 'ab', candidates: two, limit: 5, random: () => random, sticky });
    expect([ids(choice.shown), choice.chosen]).toEqual([expected, chosen]);
  });

  test.each([0, 1, 3, 5])('%i banners are all shown in order, and nothing is chosen', (count) => {
    const all = candidates(...Array.from({ length: count }, () => 1));
    const choice = rotate({ rotation: 'ab', candidates: all, limit: 4, random: () => 0, sticky: 1 });
    expect(choice).toEqual({ shown: shown('idx', all, 4), chosen: null });
  });
});
