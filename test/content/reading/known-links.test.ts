/** Targets of links that are kept: read once, by sight, forgotten when something may have changed. */
import { describe, expect, it } from 'vitest';
import { KnownLinks, type LinkTarget } from '../../../src/content/reading/known-links.js';

function setUp() {
  const state: { now: number; seconds: number; mark: number; asked: (readonly number[])[] } = {
    now: 0,
    seconds: 300,
    mark: 1,
    asked: [],
  };
  const links = new KnownLinks({ now: () => state.now, seconds: () => state.seconds, mark: () => state.mark });
  /** Resources with an even id are there. */
  const read = async (ids: readonly number[]) => {
    state.asked.push(ids);
    return new Map(ids.filter((id) => id % 2 === 0).map((id) => [id, target(id)]));
  };
  const find = async (ids: readonly number[], sight = 'all') => {
    const found = await links.find({ ids, sight }, read);
    return ids.map((id) => found.get(id)?.uri ?? null);
  };
  return { state, links, read, find };
}

function target(id: number): LinkTarget {
  return { id, uri: `page-${id}`, context: 'web' };
}

describe('targets of links', () => {
  it('are read once, those that are not there too', async () => {
    const { state, find } = setUp();
    expect(await find([2, 3])).toEqual(['page-2', null]);
    expect(await find([3, 4, 2])).toEqual([null, 'page-4', 'page-2']);
    expect(await find([2, 3, 4])).toEqual(['page-2', null, 'page-4']);
    expect(state.asked).toEqual([[2, 3], [4]]);
  });

  it('are not those of callers who see other resources', async () => {
    const { state, find } = setUp();
    await find([2]);
    await find([2], 'some');
    expect(state.asked).toEqual([[2], [2]]);
  });

  it.each([
    ['a change', ({ links }: ReturnType<typeof setUp>) => links.drop()],
    ['a commit', ({ state }: ReturnType<typeof setUp>) => Object.assign(state, { mark: 2 })],
    ['five seconds', ({ state }: ReturnType<typeof setUp>) => Object.assign(state, { now: 5000 })],
  ])('are read again after %s', async (_what, happens) => {
    const all = setUp();
    await all.find([2]);
    happens(all);
    await all.find([2]);
    expect(all.state.asked).toEqual([[2], [2]]);
  });

  it('are read again together after five seconds', async () => {
    const { state, find } = setUp();
    for (const ids of [[2], [3], [4]]) await find(ids);
    await find([6], 'some');
    state.now = 5000;
    expect(await find([4, 8])).toEqual(['page-4', 'page-8']);
    expect(await find([2, 3])).toEqual(['page-2', null]);
    expect(state.asked.slice(4)).toEqual([[4, 8, 2, 3]]);
    await find([6], 'some');
    expect(state.asked.slice(5)).toEqual([[6]]);
  });

  it('are read again only where they were asked for in the last five seconds', async () => {
    const { state, find } = setUp();
    await find([2, 4]);
    state.now = 5000;
    await find([6]);
    await find([2]);
    state.now = 10_000;
    await find([8]);
    expect(state.asked).toEqual([
      [2, 4],
      [6, 2, 4],
      [8, 6, 2],
    ]);
  });

  it('are read one at a time after a change, and at most 2,000 together', async () => {
    const { links, state, find } = setUp();
    await find(Array.from({ length: 3000 }, (_, id) => id));
    state.now = 5000;
    await find([5000]);
    expect(state.asked.at(-1)).toEqual([5000, ...Array.from({ length: 2000 }, (_, id) => id)]);
    state.now = 10_000;
    links.drop();
    await find([2]);
    expect(state.asked.at(-1)).toEqual([2]);
    for (let sight = 0; sight <= 2000; sight += 1) await find([2], String(sight));
    state.now = 15_000;
    await find([4]);
    expect(state.asked.at(-1)).toEqual([4]);
  });

  it.each([
    ['no answers are kept', { seconds: 0 }],
    ['the database does not tell its state', { mark: Number.NaN }],
  ])('are read each time where %s', async (_what, given) => {
    const { state, find } = setUp();
    Object.assign(state, given);
    await find([2]);
    await find([2]);
    expect(state.asked).toEqual([[2], [2]]);
  });

  it('that were read before a change are given, but not kept', async () => {
    const { links, read, find, state } = setUp();
    const found = links.find({ ids: [2], sight: 'all' }, (ids) => {
      links.drop();
      return read(ids);
    });
    expect((await found).get(2)).toEqual(target(2));
    await find([2]);
    expect(state.asked).toEqual([[2], [2]]);
  });

  it('are 20,000 at most', async () => {
    const { state, find } = setUp();
    const many = Array.from({ length: 20_000 }, (_, id) => id);
    await find(many);
    await find([2]);
    expect(state.asked.length).toBe(1);
    await find([20_002]);
    await find([2]);
    expect(state.asked.slice(1)).toEqual([[20_002], [2]]);
    await find([...many, 20_000]);
    await find([4]);
    expect(state.asked.at(-1)).toEqual([4]);
  });
});
