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

describe('totals', () => {
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
