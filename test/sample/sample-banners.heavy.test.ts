/** The banners of the sample site: always the same, true to their own dates, hours and caps, and loaded with right sums. */
import { describe, expect, test } from 'vitest';
import { loadSample } from '../../src/operations/sample/load-sample.js';
import { loadSampleBanners } from '../../src/operations/sample/load-sample-banners.js';
import {
  bannersOf,
  figures,
  type SampleEvent,
  sampleTraffic,
  trafficDays,
} from '../../src/operations/sample/sample-traffic.js';
import { openStore, type Store } from '../../src/store/open/open.js';
import { prepareCliDatabase } from '../support/cli-database.js';
import { describeEachDatabase, freshSqliteUrl } from '../support/databases.js';
import { patientLimits } from '../support/patient-limits.js';
import { recordsOf } from './sample-rows.js';

const banners = bannersOf(recordsOf('banners').map((one) => ({ ...one, exported: '2026-11-21T12:00:00Z' })));
const saturday = 6;
const events = [...sampleTraffic({ banners, weekday: saturday })];
const eventsOf = (name: string): readonly SampleEvent[] => events.filter(({ banner }) => banner === name);
const weekdayOf = ({ daysAgo }: SampleEvent): number => ((saturday - 1 - daysAgo + 700) % 7) + 1;

describe('the traffic of the sample banners', () => {
  test('is the same every time', () => {
    expect([...sampleTraffic({ banners, weekday: saturday })]).toEqual(events);
  });

  test('covers months, with clicks, orders and referrers, and each visit by another visitor', () => {
    const clicks = events.flatMap(({ click }) => (click === null ? [] : [click]));
    const orders = clicks.flatMap(({ orderId }) => (orderId === null ? [] : [orderId]));
    expect(new Set(events.map(({ daysAgo }) => daysAgo)).size).toBe(trafficDays);
    expect(events.length).toBeGreaterThan(10_000);
    expect(clicks.length / events.length).toBeGreaterThan(0.03);
    expect(clicks.length / events.length).toBeLessThan(0.1);
    expect(orders.length).toBeGreaterThan(50);
    expect(new Set(orders).size).toBe(orders.length);
    expect(new Set(clicks.map(({ referrer }) => referrer)).size).toBe(7);
    expect(new Set(events.map(({ visitor }) => visitor)).size).toBe(events.length);
    expect(events.every(({ visitor }) => /^[0-9a-f]{16}$/.test(visitor))).toBe(true);
  });

  test('has quieter weekends', () => {
    const ordinary = eventsOf('Tents: three new Corries');
    const weekend = ordinary.filter((event) => weekdayOf(event) > 5).length / 2;
    const working = ordinary.filter((event) => weekdayOf(event) <= 5).length / 5;
    expect(weekend / working).toBeLessThan(0.8);
  });

  test('keeps to dates, hours, weekdays and caps of each banner', () => {
    for (const banner of banners) {
      const own = eventsOf(banner.name);
      expect(own.every(({ position }) => banner.positions.some((link) => link.position === position))).toBe(true);
      for (const event of own) {
        expect(banner.firstDay === null || -event.daysAgo >= banner.firstDay).toBe(true);
        expect(banner.lastDay === null || -event.daysAgo <= banner.lastDay).toBe(true);
        if (banner.showHours === null) continue;
        expect(banner.showHours.days).toContain(weekdayOf(event));
        expect(banner.showHours.hours).toContain(Math.floor(event.minute / 60));
      }
    }
    expect([eventsOf('A friend: the ferry').length, eventsOf('Winter: coming soon').length]).toEqual([700, 0]);
  });

  test('has figures for every banner', () => {
    expect([...figures.keys()]).toEqual(banners.map(({ name }) => name));
  });
});

describeEachDatabase('loading the sample banners', (kind) => {
  async function migrated(env: Readonly<Record<string, string>>): Promise<Store> {
    const { url } = await prepareCliDatabase(await kind.url());
    const own = env['own'] === undefined ? {} : { ownDatabaseUrl: (await prepareCliDatabase(env['own'])).url };
    const store = await openStore({ databaseUrl: url, prefix: 'modx_', limits: patientLimits, ...own });
    await loadSample(store, { env: {}, apis: [], onProgress: () => undefined });
    return store;
  }

  async function numbers(store: Store, sql: string): Promise<readonly number[]> {
    const [row = []] = await store.own.select({ sql, params: [] });
    return row.map(Number);
  }

  test.each(['the same database', 'a database of its own'])(
    'writes events and the sums of their days: %s',
    async (place) => {
      const store = await migrated(place === 'the same database' ? {} : { own: await freshSqliteUrl() });
      try {
        const now = Date.UTC(2026, 10, 21, 12);
        const loaded = await loadSampleBanners(store, { env: { HCD_BANNERS_TIMEZONE: 'Asia/Tokyo' }, now });
        const [impressions = 0, latest = 0] = await numbers(
          store,
          'SELECT COUNT(*), MAX(shown_on) FROM hcd_ad_impressions',
        );
        const [clicks = 0, orders = 0] = await numbers(store, 'SELECT COUNT(*), COUNT(order_id) FROM hcd_ad_clicks');
        expect(loaded).toEqual({ banners: banners.length, impressions, clicks });
        expect(impressions).toBeGreaterThan(10_000);
        expect(latest).toBeLessThanOrEqual(now);
        expect(
          await numbers(
            store,
            'SELECT SUM(impressions), SUM(clicks), SUM(conversions), MAX(day), COUNT(DISTINCT day) FROM hcd_ad_days',
          ),
        ).toEqual([impressions, clicks, orders, 20_261_121, trafficDays]);
        // 15:00 UTC is midnight in Tokyo: every event is under the day that it has there.
        expect(
          await numbers(
            store,
            `SELECT COUNT(*) FROM hcd_ad_impressions WHERE day = 20261121 AND shown_on < ${Date.UTC(2026, 10, 20, 15)}`,
          ),
        ).toEqual([0]);
        expect(await loadSampleBanners(store, { env: {}, now })).toBeNull();
        expect(await numbers(store, 'SELECT COUNT(*) FROM hcd_ads')).toEqual([banners.length]);
      } finally {
        await store.close();
      }
    },
  );
});
