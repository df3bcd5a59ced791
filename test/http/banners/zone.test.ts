/** A server and the time zone of the banners: the worker corrects what is recorded in a zone that holds for a while only. */
import { expect, it } from 'vitest';
import { moveDays, readDaysZone } from '../../../src/banners/statistics/move-days.js';
import { recordClicks } from '../../../src/banners/tracking/record-events.js';
import { changeSetting } from '../../../src/operations/settings/change-setting.js';
import { describeEachDatabase } from '../../support/databases.js';
import { startTestSite } from '../../support/site.js';

const key = '0123456789abcdef0123456789abcdef';

describeEachDatabase('a server whose time zone of banners changes', (database) => {
  it('writes down the zone of its start and every later one, so that a change back leaves no event under a wrong day', async () => {
    const site = await startTestSite({
      databaseUrl: await database.url(),
      env: { HCD_BANNERS_API_ENABLED: '1', HCD_BANNERS_API_KEY: key },
    });
    const zone = async () => (await readDaysZone(site.store.own.primary))?.zone;
    const change = async (text: string) => {
      const how = { context: null, env: {}, force: false, rootSecret: null };
      await changeSetting(site.store, { key: 'banners_timezone', text, ...how });
      await site.live.refresh();
      // It is written in the background.
      await expect.poll(zone).toBe(text);
    };
    const where = { ad: 1, position: 1, ip: '', referrer: '' };
    // 23:30 in UTC is the next day in Berlin.
    const at = Date.UTC(2026, 10, 20, 23, 30);
    await recordClicks(site.store.own, [{ ...where, at, day: 20261120, visitor: 'a'.repeat(16) }]);
    expect(await zone()).toBe('UTC');
    await change('Europe/Berlin');
    await recordClicks(site.store.own, [{ ...where, at, day: 20261121, visitor: 'b'.repeat(16) }]);
    await change('UTC');
    await moveDays(site.store.own, { zone: 'UTC', now: at });
    const answer = await fetch(`${site.url}/banners/api.php?route=/stats/by-day&fields=date,clicks`, {
      headers: { 'x-api-key': key },
    });
    expect(await answer.json()).toEqual({ success: true, data: [{ date: '2026-11-20', clicks: 2 }], total: 1 });
  });
});
