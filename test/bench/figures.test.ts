/** The arithmetic of the bench and the shape of its site; a run on a small site is in run.heavy.test.ts. */
import { describe, expect, it } from 'vitest';
import { orderOfRound, quarterOf, ratioOf } from '../../bench/figures.js';
import { chooseScenarios, scenarios } from '../../bench/scenarios.js';
import {
  firstChildOf,
  fullParents,
  numberTv,
  parentOf,
  resourceRow,
  tvsOfTemplate,
  tvValuesOf,
} from '../../bench/site/site-shape.js';

describe('the figures of a run', () => {
  it('reverses every other round', () => {
    expect([0, 1, 2].map((round) => orderOfRound(['a', 'b', 'c'], round))).toEqual([
      ['a', 'b', 'c'],
      ['c', 'b', 'a'],
      ['a', 'b', 'c'],
    ]);
  });

  it('finds the value below which so many quarters lie', () => {
    expect([0, 1, 2, 3, 4].map((quarters) => quarterOf([5, 1, 4, 2, 3], quarters))).toEqual([1, 2, 3, 4, 5]);
  });

  it('compares the cheap rounds of both sides, and shows the middle half of the rounds', () => {
    const own = [20, 22, 60, 24, 26];
    expect(ratioOf(own, [10, 11, 12, 24, 13])).toEqual({ times: 2, from: 2, to: 2 });
  });
});

describe('the generated site', () => {
  const count = 1000;

  it('is the same at each call', () => {
    expect(resourceRow(523, count)).toEqual(resourceRow(523, count));
  });

  it('gives parents twenty children, numbered in menu order', () => {
    for (const parent of fullParents(count, 16)) {
      const children = Array.from({ length: 20 }, (_, at) => resourceRow(firstChildOf(parent) + at, count));
      expect(children.map((row) => row.parent)).toEqual(Array(20).fill(parent));
      expect(children.map((row) => row.menuindex)).toEqual(Array.from({ length: 20 }, (_, at) => at));
      expect(children.every((row) => row.published === 1 && row.context_key === 'web')).toBe(true);
    }
  });

  it('puts the address of a page below that of its parent', () => {
    for (let id = 1; id <= count; id++) {
      const row = resourceRow(id, count);
      const above = parentOf(id) === 0 ? '' : resourceRow(parentOf(id), count).uri;
      expect(row.uri).toBe(`${above}${row.alias}${row.isfolder === 1 ? '/' : '.html'}`);
    }
  });

  it('gives own values only to tvs that the template links', () => {
    const ids = Array.from({ length: count }, (_, at) => at + 1);
    expect(ids.filter((id) => tvValuesOf(id).length > 0).length).toBeGreaterThan(count / 5);
    for (const id of ids) {
      const linked = [...tvsOfTemplate(resourceRow(id, count).template), numberTv];
      expect(tvValuesOf(id).every(({ tv }) => linked.includes(tv))).toBe(true);
    }
  });
});

describe('the scenarios', () => {
  it('ask a different question in each variant', () => {
    for (const scenario of scenarios) {
      const paths = scenario.paths(1000);
      expect(paths.length, scenario.name).toBeGreaterThan(0);
      expect(new Set(paths).size, scenario.name).toBe(paths.length);
    }
  });

  it('are chosen by name; an unknown name is refused with the known ones', () => {
    expect(chooseScenarios(['page', 'read']).map((scenario) => scenario.name)).toEqual(['read', 'page']);
    expect(() => chooseScenarios(['pages'])).toThrow(/pages is none of children, template,/);
  });
});
