/** The banners of the sample site: always the same, true to their own dates, hours and caps, and loaded with right sums. */
import { describe, expect, test } from 'vitest';
import { hoursType } from '../../src/banners/rules/field-types.js';
import { localTime } from '../../src/banners/rules/local-time.js';
import { loadSample } from '../../src/operations/sample/load-sample.js';
import { loadSampleBanners } from '../../src/operations/sample/load-sample-banners.js';
import { readTraffic, type SampleEvent, sampleTraffic } from '../../src/operations/sample/sample-traffic.js';
import { openStore, type Store } from '../../src/store/open/open.js';
import { prepareCliDatabase } from '../support/cli-database.js';
import { describeEachDatabase, freshSqliteUrl } from '../support/databases.js';
import { patientLimits } from '../support/patient-limits.js';
import { recordsOf } from './sample-rows.js';

const records = recordsOf('banners');
const positionNames = records.filter(({ object }) => object === 'positions').map(({ record }) => record['name']);
const banners = records
  .filter(({ object }) => object === 'banners')
  .map(({ record: { name, start, end, show_hours = null, max_impressions: most } }, index) => {
    const hours = hoursType.parse(show_hours);
    return {
      id: index + 1,
      name: String(name),
      start: start === undefined ? null : Date.parse(String(start)) / 1000,
      end: end === undefined ? null : Date.parse(String(end)) / 1000,
      show_hours: hours.ok ? hours.value : null,
      max_impressions: Number(most ?? 0),
      positions: records
        .filter(({ object, record }) => object === 'banner_links' && record['banner'] === name)
        .map(({ record }) => ({
          position: positionNames.indexOf(record['position']),
          weight: Number(record['weight']),
        })),
    };
  });
/** A Saturday. */
const now = Date.UTC(2026, 10, 21, 12);
const zone = 'UTC';
const trafficDays = readTraffic().days;
const events = [...sampleTraffic({ banners, now, zone })];
const eventsOf = (named: string): readonly SampleEvent[] => {
  const { id } = banners.find(({ name }) => name === named) ?? {};
  return events.filter(({ ad }) => ad === id);
};
const weekdayOf = ({ at }: SampleEvent): number => localTime(at, zone).weekday;

describe('the traffic of the sample banners', () => {
  test('is the same every time', () => {
    expect([...sampleTraffic({ banners, now, zone })]).toEqual(events);
  });

  test('covers months, with clicks, orders and referrers, and each visit by another visitor', () => {
    const clicks = events.filter(({ isClicked }) => isClicked);
    const orders = clicks.flatMap(({ orderId }) => orderId ?? []);
    expect(new Set(events.map(({ day }) => day)).size).toBe(trafficDays);
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
        expect(banner.start === null || event.at >= banner.start * 1000).toBe(true);
        expect(banner.end === null || event.at <= banner.end * 1000).toBe(true);
        if (banner.show_hours === null) continue;
        expect(banner.show_hours.days).toContain(weekdayOf(event));
        expect(banner.show_hours.hours).toContain(localTime(event.at, zone).hour);
      }
    }
    expect([eventsOf('A friend: the ferry').length, eventsOf('Winter: coming soon').length]).toEqual([700, 0]);
  });

  test('has figures for every banner', () => {
    expect(Object.keys(readTraffic().banners)).toEqual(banners.map(({ name }) => name));
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
