/** Totals that lists share: counted once for equal questions, dropped on change, standing in for a count that fails. */
import { describe, expect, it } from 'vitest';
import { Counts } from '../../../src/content/reading/counts.js';
import { AppError } from '../../../src/errors/app-error.js';

function setUp() {
  const state = { now: 0, counts: 0 };
  const totals = new Counts<number>(() => state.now);
  const count = (total: number) => async () => {
    state.counts += 1;
    return total;
  };
  return { state, totals, count };
}

const a = { table: 'pages', text: 'a' };
const b = { table: 'notes', text: 'b' };

describe('totals', () => {
  it('are counted once while they are fresh', async () => {
    const { state, totals, count } = setUp();
    expect(await totals.get(a, count(3))).toBe(3);
    state.now = 4999;
    expect(await totals.get(a, count(4))).toBe(3);
    expect(await totals.get(b, count(9))).toBe(9);
    expect(state.counts).toBe(2);
  });

  it('are shown a little longer while a new one is counted, and no longer than that', async () => {
    const { state, totals, count } = setUp();
    await totals.get(a, count(3));
    state.now = 5000;
    expect(await totals.get(a, count(4))).toBe(3);
    expect(await totals.get(a, count(5))).toBe(4);
    state.now = 25_000;
    expect(await totals.get(a, count(6))).toBe(6);
    expect(state.counts).toBe(3);
  });

  it('are shown a hundred times as long as they took to count, and at most five minutes', async () => {
    const { state, totals, count } = setUp();
    const slow = (total: number, ms: number) => async () => {
      state.now += ms;
      return count(total)();
    };
    await totals.get(a, slow(3, 200));
    state.now += 19_799;
    expect(await totals.get(a, count(4))).toBe(3);
    expect(state.counts).toBe(1);
    state.now += 10_201;
    expect(await totals.get(a, slow(5, 100_000))).toBe(5);
    state.now += 199_999;
    expect(await totals.get(a, count(6))).toBe(5);
    state.now += 10_001;
    expect(await totals.get(a, count(7))).toBe(7);
  });

  it('of other tables outlive a change', async () => {
    const { totals, count } = setUp();
    await totals.get(a, count(3));
    await totals.get(b, count(9));
    let finish: (total: number) => void = () => undefined;
    const other = { table: 'notes', text: 'other' };
    const slow = totals.get(other, () => new Promise<number>((resolve) => (finish = resolve)));
    totals.clear(new Set(['pages']));
    finish(5);
    expect([await slow, await totals.get(other, count(6))]).toEqual([5, 5]);
    expect(await totals.get(a, count(4))).toBe(4);
    expect(await totals.get(b, count(8))).toBe(9);
  });

  it('are counted once for callers at the same time', async () => {
    const { state, totals, count } = setUp();
    const both = [totals.get(a, count(3)), totals.get(a, count(4))];
    expect(await Promise.all(both)).toEqual([3, 3]);
    expect(state.counts).toBe(1);
  });

  it('are forgotten after a change, and a count under way is not kept', async () => {
    const { totals, count } = setUp();
    await totals.get(a, count(3));
    totals.clear('all');
    expect(await totals.get(a, count(4))).toBe(4);
    totals.clear('all');
    let finish: (total: number) => void = () => undefined;
    const slow = totals.get(a, () => new Promise<number>((resolve) => (finish = resolve)));
    totals.clear('all');
    finish(5);
    expect(await slow).toBe(5);
    expect(await totals.get(a, count(6))).toBe(6);
  });

  it('replace a count that the database does not finish in time, and no other failure', async () => {
    const { state, totals, count } = setUp();
    const fails = (code: 'unavailable' | 'internal_error') => () => Promise.reject(new AppError(code));
    await expect(totals.get(a, fails('unavailable'))).rejects.toMatchObject({ code: 'unavailable' });
    await totals.get(a, count(3));
    state.now = 60_000;
    expect(await totals.get(a, fails('unavailable'))).toBe(3);
    await expect(totals.get(a, fails('internal_error'))).rejects.toMatchObject({ code: 'internal_error' });
    state.now = 700_000;
    await expect(totals.get(a, fails('unavailable'))).rejects.toMatchObject({ code: 'unavailable' });
  });
});
