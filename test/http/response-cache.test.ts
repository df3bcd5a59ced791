/** The cache of answers by itself: which answers a change of rows drops, and what dropping costs. */
import { describe, expect, it } from 'vitest';
import { ResponseCache } from '../../src/http/answers/response-cache.js';
import type { ChangedRow, Dependency, Representation, RowValues } from '../../src/http/interface/endpoint.js';
import { deferred } from '../support/deferred.js';

const values = (row: Record<string, string | number | null>): RowValues => new Map(Object.entries(row));

const change = (before: RowValues | null, after: RowValues | null, set = 'pages'): ChangedRow => ({
  set,
  before,
  after,
});

/** The rows that have the value in the column, found by it or by asking. */
function having(column: string, value: string | number, how: 'by value' | 'by asking' = 'by value'): Dependency {
  return {
    set: 'pages',
    text: `${column}=${value} ${how}`,
    only: how === 'by value' ? { column, values: [value] } : null,
    includes: (row) => !row.has(column) || row.get(column) === value,
  };
}

function representation(dependsOn?: readonly Dependency[]): Representation {
  const told = dependsOn === undefined ? {} : { dependsOn: () => dependsOn };
  const answer = { status: 200, type: 'text/plain', body: 'x', length: 1, etag: null, headers: {} };
  return { ...answer, caching: { kind: 'content', tags: [], ...told } };
}

function setUp(maxBytes = 1_000_000) {
  const cache = new ResponseCache({ maxBytes });
  const made: string[] = [];
  const ask = (key: string, dependsOn?: readonly Dependency[]) =>
    cache.answer({
      key,
      seconds: 60,
      now: () => 0,
      produce: async () => {
        made.push(key);
        return representation(dependsOn);
      },
    });
  /** The keys whose answers are made again when all are requested again. */
  const missing = async (asked: Readonly<Record<string, readonly Dependency[] | undefined>>): Promise<string[]> => {
    made.length = 0;
    for (const [key, dependsOn] of Object.entries(asked)) await ask(key, dependsOn);
    return [...made];
  };
  return { cache, ask, missing };
}

const answers: Readonly<Record<string, readonly Dependency[] | undefined>> = {
  one: [having('id', 1)],
  two: [having('id', 2)],
  children: [having('parent', 1), having('id', 3)],
  asked: [having('parent', 1, 'by asking')],
  nothing: [],
  untold: undefined,
};

describe('a change of rows', () => {
  const elsewhere = values({ id: 7, parent: 9 });
  const affected = ['children', 'asked', 'untold'];
  const cases: readonly [name: string, rows: readonly ChangedRow[], dropped: readonly string[]][] = [
    ['of nothing', [], []],
    ['of one row', [change(values({ id: 2, parent: 9 }), values({ id: 2, parent: 9 }))], ['two', 'untold']],
    ['of a row that comes', [change(null, values({ id: 7, parent: 1 }))], affected],
    ['of a row that goes', [change(values({ id: 7, parent: 1 }), null)], affected],
    ['of a row that moves here', [change(elsewhere, values({ id: 7, parent: 1 }))], affected],
    ['of which one value is not known', [change(values({ id: 7 }), values({ id: 7 }))], affected],
    ['of which one value is known on one side only', [change(elsewhere, values({ id: 7 }))], affected],
    [
      'of several rows',
      [change(null, values({ id: 1, parent: 9 })), change(null, values({ id: 2, parent: 9 }))],
      ['one', 'two', 'untold'],
    ],
    ['of another set', [change(values({ id: 1 }), null, 'notes')], ['untold']],
  ];

  it.each(cases)('%s', async (_name, rows, dropped) => {
    const { cache, missing } = setUp();
    expect(await missing(answers)).toEqual(Object.keys(answers));
    expect(await missing(answers)).toEqual([]);
    cache.drop(rows);
    expect(await missing(answers)).toEqual(dropped);
    // The next change also drops an answer that was made again.
    cache.drop(rows);
    expect(await missing(answers)).toEqual(dropped);
  });

  it('of everything drops everything', async () => {
    const { cache, missing } = setUp();
    await missing(answers);
    cache.drop('everything');
    expect(cache.use.bytes).toBe(0);
    expect(await missing(answers)).toEqual(Object.keys(answers));
  });

  it('never keeps an answer that was under way during a change, and no request waits for it', async () => {
    const { cache, missing } = setUp();
    const gate = deferred();
    const produce = async (): Promise<Representation> => {
      await gate.promise;
      return representation([having('id', 1)]);
    };
    const slow = cache.answer({ key: 'one', seconds: 60, now: () => 0, produce });
    cache.drop([change(null, values({ id: 5 }))]);
    expect(await missing({ one: answers['one'] })).toEqual(['one']);
    gate.resolve();
    await slow;
    expect(await missing({ one: answers['one'] })).toEqual([]);
  });

  it('finds an answer whose place another one took, and forgets what went for lack of memory', async () => {
    const { cache, ask, missing } = setUp(20_000);
    for (let index = 0; index < 500; index += 1) await ask(`answer ${index}`, [having('id', index)]);
    expect(cache.use.bytes).toBeLessThanOrEqual(20_000);
    cache.drop([change(values({ id: 499 }), null), change(values({ id: 0 }), null)]);
    expect(await missing({ 'answer 499': [having('id', 499)] })).toEqual(['answer 499']);
    expect(await missing({ 'answer 498': [having('id', 498)] })).toEqual([]);
  });
});
