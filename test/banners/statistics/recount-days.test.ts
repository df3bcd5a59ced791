/** Wrong sums, by figure and by referrer, and putting them right while others record. */
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { addDays } from '../../../src/banners/rules/local-time.js';
import {
  findWrongSums,
  type Recount,
  recountDays,
  type SumsCheck,
} from '../../../src/banners/statistics/find-wrong-sums.js';
import { type NewClick, recordClicks, recordImpressions } from '../../../src/banners/tracking/record-events.js';
import type { Database } from '../../../src/store/base/database.js';
import { migrated, openHandle } from '../../identity/keys/key-store.js';
import { describeEachDatabase } from '../../support/databases.js';
import { execute } from '../../support/execute.js';

const tables = ['hcd_ad_clicks', 'hcd_ad_impressions', 'hcd_ad_days', 'hcd_ad_referrer_days'];
const today = 20261121;

describeEachDatabase('recounting days', (kind) => {
  let url: string;
  let own: Database;

  beforeAll(async () => {
    url = await migrated(await kind.url());
  });

  beforeEach(async () => {
    own = (await openHandle(url)).own;
    await run(...tables.map((table) => `DELETE FROM ${table}`));
    for (const back of [0, 1, 2, 3]) await record(addDays(today, -back));
  });

  const run = (...statements: readonly string[]) => execute(own, ...statements);
  const all = async () =>
    Promise.all(
      [
        'SELECT day, ad, position, clicks, impressions, conversions FROM hcd_ad_days ORDER BY day, ad, position',
        'SELECT position, day, referrer, clicks FROM hcd_ad_referrer_days ORDER BY position, day, referrer',
      ].map((sql) => own.primary.select({ sql, params: [] })),
    );

  /** Two banners at two positions, clicks from two referrers, one of them with an order. */
  async function record(day: number, more: Partial<NewClick> = {}, count = 4): Promise<void> {
    const rows = Array.from({ length: count }, (_, index) => ({
      ...{ day, ad: 1 + (index % 2), position: 1 + (index % 2), at: day * 100 + index, ip: '' },
      visitor: String(index).padStart(16, '0'),
      referrer: index < 3 ? 'https://a.example/' : 'https://A.example/',
      orderId: index === 0 ? 'A-1' : null,
      ...more,
    }));
    await recordClicks(own, rows);
    await recordImpressions(own, rows);
  }

  async function wrong(check: SumsCheck = {}) {
    const found = [];
    for await (const sum of findWrongSums(own, check)) found.push(sum);
    return found;
  }

  async function recount(asked: Partial<Recount> = {}): Promise<boolean[]> {
    const fixed = [];
    for await (const { isFixed } of recountDays(own, { isLowering: false, isDryRun: false, ...asked })) {
      fixed.push(isFixed);
    }
    return fixed;
  }

  test('finds referrers that are too low or too high, at a position and at all of them', async () => {
    await run(
      `UPDATE hcd_ad_referrer_days SET clicks = 9 WHERE day = ${today} AND position = 1`,
      `DELETE FROM hcd_ad_referrer_days WHERE day = ${today} AND position = 0 AND referrer = 'https://A.example/'`,
    );
    const sum = { day: today, figure: 'clicks by referrer' };
    expect(await wrong()).toEqual([
      { ...sum, position: 0, referrer: 'https://A.example/', stored: 0, counted: 1 },
      { ...sum, position: 1, referrer: 'https://a.example/', stored: 9, counted: 2 },
    ]);
  });

  test('keeps the sums of a day whose rows were removed', async () => {
    const right = await all();
    await run(`DELETE FROM hcd_ad_clicks WHERE day < ${today}`, `DELETE FROM hcd_ad_impressions WHERE day < ${today}`);
    expect(await recount({ isLowering: true })).toEqual([]);
    expect(await all()).toEqual(right);
  });

  test('counts events that arrive during the recount once', async () => {
    const other = (await openHandle(url)).own;
    const visitors = Array.from({ length: 40 }, (_, index) => String(index + 100).padStart(16, '0'));
    const recording = (async () => {
      for (const [index, visitor] of visitors.entries()) {
        const click = { day: today, ad: 1 + (index % 30), position: 1 + (index % 3), at: today * 100, ip: '', visitor };
        await recordClicks(other, [{ ...click, referrer: `https://r${index % 7}.example/` }]);
      }
    })();
    for (let turn = 0; turn < 8; turn += 1) {
      await run(`UPDATE hcd_ad_days SET clicks = 0 WHERE day = ${today} AND ad = 2`);
      await recount({ from: today, isLowering: true });
    }
    await recording;
    await recount({ from: today });
    expect(await wrong({ from: today })).toEqual([]);
  });
});
