/** Which searches a list makes until one finds something. */
import { expect, it } from 'vitest';
import { resources } from '../../../src/content/objects/core-objects.js';
import { writeCursor } from '../../../src/content/query/cursor.js';
import type { ListPlan } from '../../../src/content/query/plan.js';
import { fieldRef } from '../../../src/content/query/predicate.js';
import { searchMostWords } from '../../../src/content/reading/leave-out-words.js';
import { searchTerms } from '../../../src/content/rules/search-words.js';
import { AppError } from '../../../src/errors/app-error.js';

const ref = fieldRef(resources, 'id');
const sign = (text: string) => `signature of ${text.length} ${text.slice(-30)}`.replaceAll('.', ' ');

function planFor(text: string): ListPlan {
  const terms = searchTerms(text);
  if (terms === null) throw new Error(`no word in "${text}"`);
  return {
    ...{ definition: resources, context: 'web', fields: ['id'], includes: [], tvs: null, tvRecords: [], form: null },
    ...{ tagRules: null, ids: null, isRanked: true, withExcerpt: false, heavy: true, usesTvs: false },
    where: {
      kind: 'all',
      of: [
        { kind: 'null', ref, unset: null, negated: true },
        { kind: 'words', ref, terms },
      ],
    },
    order: [{ ref, direction: 'asc' }],
    sort: [{ field: 'id', direction: 'asc' }],
    words: terms,
    writtenWords: text,
  };
}

/** A search with what it finds by its words; absent ones find nothing, and a failure fails. */
async function search(text: string, finds: Readonly<Record<string, number | Error>>, cursor?: string) {
  const made: string[] = [];
  const paging =
    cursor === undefined
      ? ({ kind: 'offset', limit: 20, offset: 0 } as const)
      : ({ kind: 'cursor', limit: 20, cursor } as const);
  const read = async ({ words, where }: ListPlan) => {
    expect(where).toMatchObject({ of: [{ kind: 'null' }, { kind: 'words', terms: words }] });
    const name = words?.words.join(' ') ?? '';
    made.push(name);
    const total = finds[name] ?? 0;
    if (total instanceof Error) throw total;
    return { total: Math.max(total, 0), isTotalLeast: total < 0 };
  };
  const { plan, leftOut, page } = await searchMostWords({ plan: planFor(text), paging, sign }, read);
  return { made, words: plan.words?.words.join(' '), leftOut, total: page.total };
}

it('searches once where all words are found, or may be found beyond what was looked at', async () => {
  const once = { made: ['a b'], words: 'a b', leftOut: null };
  expect(await search('A b', { 'a b': 3 })).toEqual({ ...once, total: 3 });
  expect(await search('A b', { 'a b': -1, a: 1 })).toEqual({ ...once, total: 0 });
});

it('is the first search that finds something', async () => {
  expect(await search('A B c', { b: 2, 'a c': 1 })).toEqual({
    ...{ made: ['a b c', 'a b', 'a c'], words: 'a c', leftOut: ['B'], total: 1 },
  });
});

it('is the one that was asked for where none finds anything, after 14 others', async () => {
  expect(await search('a b', {})).toEqual({ made: ['a b', 'a', 'b'], words: 'a b', leftOut: null, total: 0 });
  const many = await search('a b c d e f g', { a: 1 });
  expect(many).toMatchObject({ words: 'a b c d e f g', leftOut: null, total: 0 });
  expect(many.made).toHaveLength(15);
});

it('leaves out no words where the database does not answer in time, and fails as ever otherwise', async () => {
  const slow = new AppError('unavailable');
  expect(await search('a b', { a: slow, b: 1 })).toEqual({ made: ['a b', 'a'], words: 'a b', leftOut: null, total: 0 });
  await expect(search('a b', { 'a b': slow })).rejects.toBe(slow);
  await expect(search('a b', { a: new Error('syntax') })).rejects.toThrow('syntax');
});

it('leaves out what the page of a cursor left out, whatever is found since', async () => {
  const cursor = writeCursor(planFor('b'), [5], sign);
  expect(await search('a b', { 'a b': 1, b: 7 }, cursor)).toEqual({
    ...{ made: ['b'], words: 'b', leftOut: ['a'], total: 7 },
  });
  const ofAll = writeCursor(planFor('a b'), [5], sign);
  expect(await search('a b', { a: 1 }, ofAll)).toMatchObject({ made: ['a b'], leftOut: null });
});
