/** Sums of days: many writers at once, the check against a recount, removed rows, and following the zone. */
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { localDay } from '../../../src/banners/rules/local-time.js';
import { rangeOf } from '../../../src/banners/rules/periods.js';
import { addToDays, type DayIncrement } from '../../../src/banners/statistics/add-to-days.js';
import { findWrongSums, type WrongSum } from '../../../src/banners/statistics/find-wrong-sums.js';
import { establishDaysZone, moveDays, readDaysZone } from '../../../src/banners/statistics/move-days.js';
import { readStatistics } from '../../../src/banners/statistics/statistics.js';
import { type NewClick, recordClicks, recordImpressions } from '../../../src/banners/tracking/record-events.js';
import type { Database } from '../../../src/store/base/database.js';
import { migrated, openHandle } from '../../identity/keys/key-store.js';
import { describeEachDatabase } from '../../support/databases.js';

const hour = 3_600_000;
const now = Date.UTC(2026, 10, 21, 9, 30);

describeEachDatabase('sums of days', (kind) => {
  let url: string;
  let own: Database;

  beforeAll(async () => {
    url = await migrated(await kind.url());
  });

  beforeEach(async () => {
    own = (await openHandle(url)).own;
    await own.write(async (tx) => {
      for (const table of ['hcd_ad_clicks', 'hcd_ad_impressions', 'hcd_ad_days', 'hcd_ad_referrer_days'])
        await tx.run({ sql: `DELETE FROM ${table}`, params: [] });
      await tx.run({ sql: "DELETE FROM hcd_state WHERE `key` = 'banner_days_zone'", params: [] });
    });
  });

  const sums = () =>
    own.select({
      sql: 'SELECT day, ad, position, clicks, impressions, conversions FROM hcd_ad_days ORDER BY day, ad, position',
      params: [],
    });
  const run = (sql: string) => own.write((tx) => tx.run({ sql, params: [] }));

  async function wrongSums(): Promise<WrongSum[]> {
    const found: WrongSum[] = [];
    for await (const wrong of findWrongSums(own)) found.push(wrong);
    return found;
  }

  const one = { day: 20261121, ad: 1, position: 1, clicks: 1, impressions: 0, conversions: 0 };

  test('adds up increments of one place and creates no row for empty ones', async () => {
    const more: DayIncrement[] = [one, { ...one, clicks: 0, impressions: 4 }, { ...one, ad: 2, clicks: 0 }];
    await own.write((tx) => addToDays(tx, more));
    await own.write((tx) => addToDays(tx, [{ ...one, conversions: 1 }]));
    expect(await sums()).toEqual([[20261121, 1, 1, 2, 4, 1]]);
  });

  test('loses none of thousands of increments in any order from several connections', async () => {
    const handles = await Promise.all([1, 2, 3].map(() => openHandle(url)));
    const places = Array.from({ length: 150 }, (_, index) => ({
      ...one,
      ad: 1 + (index % 50),
      position: 1 + (index % 3),
    }));
    await Promise.all(
      handles.flatMap(({ own: other }) => [
        ...Array.from({ length: 8 }, (_, turn) => {
          const rotated = [...places.slice(turn * 19), ...places.slice(0, turn * 19)];
          return other.write((tx) => addToDays(tx, rotated));
        }),
      ]),
    );
    const rows = await sums();
    expect(rows).toHaveLength(150);
    expect(new Set(rows.map(([, , , clicks]) => Number(clicks)))).toEqual(new Set([24]));
  });

  function click(at: number, zone: string, more: Partial<NewClick> = {}): NewClick {
    return {
      ...{ ad: 1, position: 1, at, day: localDay(at, zone), visitor: String(at).padStart(16, '0'), ip: '' },
      referrer: '',
      ...more,
    };
  }

  test('finds every sum that is too low, and those too high after the first day with rows', async () => {
    const days = [0, 1, 2].map((back) => click(now - back * 24 * hour, 'UTC'));
    await recordClicks(own, days);
    await recordImpressions(own, days);
    expect(await wrongSums()).toEqual([]);
    await run('UPDATE hcd_ad_days SET clicks = 9 WHERE day = 20261119');
    expect(await wrongSums()).toEqual([]);
    await run('UPDATE hcd_ad_days SET impressions = 0 WHERE day = 20261119');
    await run('UPDATE hcd_ad_days SET clicks = 9 WHERE day = 20261121');
    await run('DELETE FROM hcd_ad_days WHERE day = 20261120');
    const place = { ad: 1, position: 1 };
    expect(await wrongSums()).toEqual([
      { day: 20261119, ...place, figure: 'impressions', stored: 0, counted: 1 },
      { day: 20261120, ...place, figure: 'clicks', stored: 0, counted: 1 },
      { day: 20261120, ...place, figure: 'impressions', stored: 0, counted: 1 },
      { day: 20261121, ...place, figure: 'clicks', stored: 9, counted: 1 },
    ]);
  });

  test('writes the zone once, and again after a change', async () => {
    for (const zone of ['Europe/Berlin', 'Europe/Berlin', 'UTC']) {
      await establishDaysZone(own, zone);
      expect(await readDaysZone(own)).toEqual({ zone, done: 0 });
    }
  });

  test('moves events of a temporary zone back to the right day', async () => {
    // 23:30 in UTC is the next day in Berlin.
    const late = Date.UTC(2026, 10, 20, 23, 30);
    await establishDaysZone(own, 'UTC');
    await recordClicks(own, [click(late, 'UTC')]);
    await moveDays(own, { zone: 'UTC', now });
    await establishDaysZone(own, 'Europe/Berlin');
    await recordClicks(own, [click(late + 1, 'Europe/Berlin')]);
    await establishDaysZone(own, 'UTC');
    const clock = { now, zone: 'UTC' };
    const clicks = async () =>
      (
        await readStatistics(own, { range: rangeOf('all', clock), subject: { banner: 0, position: 0 }, clock })
      ).by_day.map((day) => [day.date, day.clicks]);
    expect(await moveDays(own, { zone: 'UTC', now })).toBe(1);
    expect(await clicks()).toEqual([['2026-11-20', 2]]);
  });

  test('keeps the sums of days without events when the zone changes', async () => {
    await establishDaysZone(own, 'UTC');
    // 23:30 in UTC is the next day in Berlin.
    const late = Date.UTC(2026, 10, 20, 23, 30);
    await recordClicks(own, [click(late, 'UTC', { orderId: 'A-1' }), click(late - 240 * hour, 'UTC')]);
    await run(`DELETE FROM hcd_ad_clicks WHERE clicked_on < ${now - 100 * hour}`);
    const clock = { now, zone: 'Europe/Berlin' };
    const days = async () =>
      (
        await readStatistics(own, { range: rangeOf('all', clock), subject: { banner: 0, position: 0 }, clock })
      ).by_day.map(({ date, clicks, conversions }) => [date, clicks, conversions]);
    const expected = [
      ['2026-11-10', 1, 0],
      ['2026-11-21', 1, 1],
    ];
    expect(await moveDays(own, { zone: clock.zone, now })).toBe(1);
    expect(await days()).toEqual(expected);
    expect(await sums()).toEqual([
      [20261110, 1, 1, 1, 0, 0],
      [20261120, 1, 1, 0, 0, 0],
      [20261121, 1, 1, 1, 0, 1],
    ]);
  });

  test('still counts a visitor who is already under the new day', async () => {
    await establishDaysZone(own, 'UTC');
    const late = Date.UTC(2026, 10, 20, 23, 30);
    const visitor = '00000000000000aa';
    await recordClicks(own, [click(late, 'UTC', { visitor }), click(late + hour, 'UTC', { visitor })]);
    expect(await moveDays(own, { zone: 'Europe/Berlin', now })).toBe(1);
    expect(await sums()).toEqual([
      [20261120, 1, 1, 0, 0, 0],
      [20261121, 1, 1, 2, 0, 0],
    ]);
    expect(await wrongSums()).toEqual([]);
  });

  test('moves each event once with two workers, and undoes it after a change back', async () => {
    await establishDaysZone(own, 'UTC');
    const events = Array.from({ length: 300 }, (_, index) => click(now - index * 20 * 60_000, 'UTC'));
    await recordClicks(own, events);
    await recordImpressions(own, events);
    const before = await sums();
    const other = (await openHandle(url)).own;
    const moved = await Promise.all([
      moveDays(own, { zone: 'Asia/Kathmandu', now }),
      moveDays(other, { zone: 'Asia/Kathmandu', now }),
    ]);
    const misplaced = events.filter(({ at }) => localDay(at, 'Asia/Kathmandu') !== localDay(at, 'UTC')).length;
    expect((moved[0] ?? 0) + (moved[1] ?? 0)).toBe(2 * misplaced);
    expect(await wrongSums()).toEqual([]);
    await moveDays(own, { zone: 'UTC', now });
    const after = (await sums()).filter(([, , , clicks, impressions]) => Number(clicks) + Number(impressions) > 0);
    expect(after).toEqual(before);
  });

  test('checks only the last minutes again once all events were checked', async () => {
    await establishDaysZone(own, 'UTC');
    await recordClicks(own, [click(now - 24 * hour, 'UTC')]);
    await moveDays(own, { zone: 'Europe/Berlin', now });
    const late = Date.UTC(2026, 10, 20, 23, 30);
    await recordClicks(own, [click(late, 'UTC')]);
    expect(await moveDays(own, { zone: 'Europe/Berlin', now: now + 60_000 })).toBe(0);
    expect(await moveDays(own, { zone: 'Asia/Kathmandu', now: now + 60_000 })).toBe(1);
  });
});
