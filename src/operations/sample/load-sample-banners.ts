/** Loads the sample site's banners and their events. A store with banners or positions keeps its own. */

import { ads } from '../../banners/models/ads.js';
import type { EventKind } from '../../banners/models/events.js';
import { links } from '../../banners/models/links.js';
import { positions } from '../../banners/models/positions.js';
import { addDays, dayStart, localDay } from '../../banners/rules/local-time.js';
import { addToDays, addToReferrerDays } from '../../banners/statistics/add-to-days.js';
import { establishDaysZone } from '../../banners/statistics/move-days.js';
import { type EventRow, insertEvents } from '../../banners/tracking/event-rows.js';
import type { Environment } from '../../config/definitions.js';
import { readRuntimeSettings } from '../../content/settings/settings.js';
import type { Tx } from '../../store/base/database.js';
import type { Store } from '../../store/open/open.js';
import { batchesOf } from '../../values/batches.js';
import { dayMs } from '../../values/dates.js';
import { importRecords } from '../transfer/import-records.js';
import type { NdjsonRecord } from '../transfer/ndjson.js';
import { LineProblems } from '../transfer/transfer-record.js';
import { author, kinds, sampleRecords } from './load-sample.js';
import { type SampleBanner, sampleTraffic } from './sample-traffic.js';

export interface SampleCounts {
  readonly banners: number;
  readonly impressions: number;
  readonly clicks: number;
}

interface Clock {
  readonly now: number;
  readonly zone: string;
}

const batchSize = 2000;

/** After the content, which banners name. Null when the store has banners or positions of its own. */
export async function loadSampleBanners(
  store: Store,
  { env, now }: { readonly env: Environment; readonly now: number },
): Promise<SampleCounts | null> {
  const { values } = await readRuntimeSettings(store, env);
  const clock = { now, zone: values.banners_timezone };
  await establishDaysZone(store.own, clock.zone);
  return store.own.write(async (tx) => {
    if ((await ads.on(tx).count()) + (await positions.on(tx).count()) > 0) return null;
    const problems = new LineProblems();
    const records = asOfToday(sampleRecords(['banners'], problems), clock);
    const within = { tx, database: 'own' } as const;
    await importRecords({ store, kinds, records, problems, by: author, within, onConflict: 'skip' });
    const banners = await readBanners(tx);
    return { banners: banners.length, ...(await insertTraffic(tx, { banners, ...clock })) };
  });
}

/** Days count from today, not from the day on which the file was written. */
async function* asOfToday(records: AsyncIterable<NdjsonRecord>, { now, zone }: Clock): AsyncGenerator<NdjsonRecord> {
  const dayOf = (time: string): number => Math.floor(Date.parse(time) / dayMs);
  for await (const one of records) {
    const startOfDay = (time: unknown, later: number): number | null => {
      if (typeof time !== 'string') return null;
      return dayStart(addDays(localDay(now, zone), dayOf(time) - dayOf(one.exported) + later), zone) / 1000;
    };
    const { object, record } = one;
    const dayAfter = startOfDay(record['end'], 1);
    const dates = { start: startOfDay(record['start'], 0), end: dayAfter === null ? null : dayAfter - 1 };
    yield object === 'banners' ? { ...one, record: { ...record, ...dates } } : one;
  }
}

async function readBanners(tx: Tx): Promise<readonly SampleBanner[]> {
  const [banners, places] = [
    await ads.on(tx).findAll({ order: ['id'] }),
    await links.on(tx).findAll({ order: ['id'] }),
  ];
  return banners.map((banner) => ({ ...banner, positions: places.filter(({ ad }) => ad === banner.id) }));
}

async function insertTraffic(
  tx: Tx,
  traffic: Clock & { readonly banners: readonly SampleBanner[] },
): Promise<Omit<SampleCounts, 'banners'>> {
  const before = [...sampleTraffic(traffic)].filter(({ at }) => at <= traffic.now);
  // Ids count up with time, as they would have.
  const impressions = before.sort((one, other) => one.at - other.at);
  const clicks = impressions.filter(({ isClicked }) => isClicked);
  const rows: Readonly<Record<EventKind, readonly EventRow[]>> = { impressions, clicks };
  for (const kind of ['impressions', 'clicks'] as const) {
    for (const some of batchesOf(rows[kind], batchSize)) await insertEvents(tx, kind, some);
  }
  await addToDays(
    tx,
    impressions.map(({ isClicked, orderId, ...row }) => {
      return { ...row, impressions: 1, clicks: isClicked ? 1 : 0, conversions: orderId ? 1 : 0 };
    }),
  );
  await addToReferrerDays(
    tx,
    clicks.map(({ day, position, referrer = '' }) => ({ day, position, referrer, clicks: 1 })),
  );
  return { impressions: impressions.length, clicks: clicks.length };
}
