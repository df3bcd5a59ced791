/** How long clicks and impressions are kept: rows go by age, sums and days stay. */
import { expect, test } from 'vitest';
import { pruneEvents, recordClicks, recordImpressions } from '../../../src/banners/tracking/record-events.js';
import { readNow } from '../../../src/store/state/state.js';
import { migrated, openHandle } from '../../identity/keys/key-store.js';
import { describeEachDatabase } from '../../support/databases.js';

const dayMs = 86_400_000;
const signal = new AbortController().signal;

describeEachDatabase('removing old clicks and impressions', (kind) => {
  const filled = async () => {
    const store = await openHandle(await migrated(await kind.url()));
    const now = await readNow(store.own);
    // 2,500 of each, one every hundredth of a day.
    const rows = Array.from({ length: 2500 }, (_, n) => ({
      ...{ ad: 1, position: 1, day: 20261121, ip: '', referrer: '' },
      at: now - n * (dayMs / 100),
      visitor: String(n).padStart(16, '0'),
    }));
    await recordClicks(store.own, rows);
    await recordImpressions(store.own, rows);
    const count = async () => {
      const [row] = await store.own.select({
        sql: 'SELECT (SELECT COUNT(*) FROM hcd_ad_clicks), (SELECT COUNT(*) FROM hcd_ad_impressions), clicks, impressions FROM hcd_ad_days',
        params: [],
      });
      return row?.map(Number);
    };
    return { store, count };
  };

  test('removes each kind by its setting, in batches, and keeps the sums', async () => {
    const { store, count } = await filled();
    const settings = { banners_clicks_retention_days: 2, banners_impressions_retention_days: 10 };
    const pruned = await pruneEvents(store, { settings, signal });
    // A row that became old between the two readings of the clock may go too.
    expect([pruned.clicks - 2299, pruned.impressions - 1499].every((more) => more === 0 || more === 1)).toBe(true);
    expect(await count()).toEqual([2500 - pruned.clicks, 2500 - pruned.impressions, 2500, 2500]);
    expect(await pruneEvents(store, { settings, signal })).toEqual({ clicks: 0, impressions: 0 });
  });

  test('nothing where the setting is 0, nor after the signal to stop', async () => {
    const { store, count } = await filled();
    const never = { banners_clicks_retention_days: 0, banners_impressions_retention_days: 0 };
    expect(await pruneEvents(store, { settings: never, signal })).toEqual({ clicks: 0, impressions: 0 });
    const stopped = { ...never, banners_clicks_retention_days: 1 };
    expect(await pruneEvents(store, { settings: stopped, signal: AbortSignal.abort() })).toEqual({
      clicks: 0,
      impressions: 0,
    });
    expect(await count()).toEqual([2500, 2500, 2500, 2500]);
  });
});
