/** Differences of documents: each change once, with the fewest moves. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { diffPageDocuments } from '../../../src/pages/rules/page-diff.js';
import type { PageSection } from '../../../src/pages/rules/page-document.js';
import { idOf, makeSection } from './section-types.js';

const page = (...sections: PageSection[]) => ({ schemaVersion: 1 as const, sections, trash: [] });
const one = (number: number, words: Partial<PageSection> = {}) => makeSection({ id: idOf(number), ...words });

test('finds no difference between a document and itself with members in another order', () => {
  const data = { a: [1, { b: null }], c: 'x' };
  expect(diffPageDocuments(page(one(1, { data })), page(one(1, { data: { c: 'x', a: [1, { b: null }] } })))).toEqual(
    [],
  );
});

describe('changes', () => {
  test('name values by their path, in rows and by row', () => {
    const before = one(1, { data: { title: 'a', items: [{ t: 1 }, { t: 2 }], gone: true } });
    const after = one(1, { data: { title: 'b', items: [{ t: 1 }, { t: 3 }, { t: 4 }] }, enabled: false });
    expect(diffPageDocuments(page(before), page(after))).toEqual([
      {
        kind: 'changed',
        id: idOf(1),
        type: 'probe',
        before: 0,
        after: 0,
        values: [
          { path: 'enabled', before: true, after: false },
          { path: 'data.title', before: 'a', after: 'b' },
          { path: 'data.items[1].t', before: 2, after: 3 },
          { path: 'data.items[2].t', before: undefined, after: 4 },
          { path: 'data.gone', before: true, after: undefined },
        ],
      },
    ]);
  });

  test('distinguish added sections from removed ones', () => {
    const changes = diffPageDocuments(
      page(one(1), one(2, { data: { a: 1 } })),
      page(one(3, { data: { b: [] } }), one(1)),
    );
    const whole = (data: string, value: unknown, side: 'before' | 'after') => [
      { path: 'type', before: undefined, after: undefined, [side]: 'probe' },
      { path: 'typeVersion', before: undefined, after: undefined, [side]: 1 },
      { path: 'enabled', before: undefined, after: undefined, [side]: true },
      { path: data, before: undefined, after: undefined, [side]: value },
      { path: 'settings', before: undefined, after: undefined, [side]: {} },
    ];
    expect(changes).toEqual([
      { kind: 'added', id: idOf(3), type: 'probe', before: null, after: 0, values: whole('data.b', [], 'after') },
      { kind: 'removed', id: idOf(2), type: 'probe', before: 1, after: null, values: whole('data.a', 1, 'before') },
    ]);
  });

  test('of kind name the value as a whole', () => {
    const changes = diffPageDocuments(page(one(1, { data: { a: [1] } })), page(one(1, { data: { a: { b: 1 } } })));
    expect(changes[0]?.values).toEqual([{ path: 'data.a', before: [1], after: { b: 1 } }]);
  });
});

describe('moves', () => {
  const order = (...numbers: number[]) => page(...numbers.map((number) => one(number)));
  test.each<[string, number[], number[], [number, number, number][]]>([
    ['one to the front', [1, 2, 3, 4], [4, 1, 2, 3], [[4, 3, 0]]],
    ['one to the end', [1, 2, 3, 4], [2, 3, 4, 1], [[1, 0, 3]]],
    ['two that change places', [1, 2], [2, 1], [[1, 0, 1]]],
    ['none when one is put before all', [1, 2], [3, 1, 2], []],
    ['none when one goes', [1, 2, 3], [2, 3], []],
  ])('%s', (_name, before, after, expected) => {
    const moved = diffPageDocuments(order(...before), order(...after)).filter(({ kind }) => kind === 'moved');
    expect(moved.map(({ id, before: from, after: to }) => [Number.parseInt(id, 16), from, to])).toEqual(expected);
  });

  test('without the moved sections both orders agree', () => {
    const numbers = fc.uniqueArray(fc.nat(30), { maxLength: 12 });
    fc.assert(
      fc.property(numbers, numbers, (before, after) => {
        const moved = diffPageDocuments(order(...before), order(...after)).filter(({ kind }) => kind === 'moved');
        const out = new Set(moved.map(({ id }) => Number.parseInt(id, 16)));
        const rest = (list: number[], other: number[]) =>
          list.filter((number) => other.includes(number) && !out.has(number));
        expect(rest(before, after)).toEqual(rest(after, before));
      }),
    );
  });
});
