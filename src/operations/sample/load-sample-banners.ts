/** Loads the sample site's banners and their events. A store with banners or positions keeps its own. */

import { ads } from '../../banners/models/ads.js';
import type { EventKind } from '../../banners/models/events.js';
import { positions } from '../../banners/models/positions.js';
import { presets } from '../../banners/models/presets.js';
import { addDays, dayStart, localDay, weekdayOf } from '../../banners/rules/local-time.js';
import { addToDays, addToReferrerDays } from '../../banners/statistics/add-to-days.js';
import { establishDaysZone } from '../../banners/statistics/days-zone.js';
import { type EventRow, insertEvents } from '../../banners/tracking/event-rows.js';
import type { Environment } from '../../config/definitions.js';
import { readRuntimeSettings } from '../../content/settings/settings.js';
import type { Tx } from '../../store/base/database.js';
import type { Store } from '../../store/open/open.js';
import { batchesOf } from '../../values/batches.js';
import { minuteMs } from '../../values/dates.js';
import { importRecords } from '../transfer/import-records.js';
import type { NdjsonRecord } from '../transfer/ndjson.js';
import { Problems } from '../transfer/transfer-record.js';
import { author, kinds, sampleRecords } from './load-sample.js';
import { bannersOf, daysOf, type SampleBanner, sampleTraffic } from './sample-traffic.js';

export interface SampleCounts {
  readonly banners: number;
  readonly impressions: number;
  readonly clicks: number;
}

interface Today {
  /** Unix milliseconds. */
  readonly now: number;
  /** Digits of the day of `now`. */
  readonly today: number;
  readonly zone: string;
}

const together = 2000;

/** After the content, which banners name. Null when the store has banners or positions of its own. */
export async function loadSampleBanners(
  store: Store,
  { env, now }: { readonly env: Environment; readonly now: number },
): Promise<SampleCounts | null> {
  const { values } = await readRuntimeSettings(store, env);
  const zone = values.banners_timezone;
  const clock = { now, zone, today: localDay(now, zone) };
  await establishDaysZone(store.own, zone);
  return store.own.write(async (tx) => {
    if (await hasBanners(tx)) return null;
    const problems = new Problems();
    const given: NdjsonRecord[] = [];
    const records = asOfToday(tx, sampleRecords(['banners'], problems), { clock, given });
    await importRecords({ store, kinds, records, problems, by: author, within: { tx, database: 'own' } });
    const banners = bannersOf(given);
    const ids = {
      banners: new Map((await ads.on(tx).findAll({ attributes: ['id', 'name'] })).map(({ id, name }) => [name, id])),
      positions: new Map((await positions.on(tx).findAll()).map(({ id, name }) => [name, id])),
    };
    return { banners: banners.length, ...(await insertTraffic(tx, { banners, ids, clock })) };
  });
}

async function hasBanners(tx: Tx): Promise<boolean> {
  const [row] = await tx.select({ sql: 'SELECT COUNT(*) FROM `hcd_ads`', params: [] });
  return Number(row?.[0]) > 0 || (await positions.on(tx).count()) > 0;
}

/** Days count from today, not from the day on which the file was written. Adds the file's records to `given`. */
async function* asOfToday(
  tx: Tx,
  records: AsyncIterable<NdjsonRecord>,
  { clock: { today, zone }, given }: { readonly clock: Today; readonly given: NdjsonRecord[] },
): AsyncGenerator<NdjsonRecord> {
  const startOf = (day: number): number => dayStart(addDays(today, day), zone) / 1000;
  for await (const one of records) {
    const { object, record } = one;
    given.push(one);
    if (object === 'banners') {
      const { firstDay, lastDay } = daysOf(one);
      const start = firstDay === null ? null : startOf(firstDay);
      const end = lastDay === null ? null : startOf(lastDay + 1) - 1;
      yield { ...one, record: { ...record, start, end } };
    } else if (object !== 'banner_presets' || (await presets.on(tx).lookUp({ name: String(record['name']) })) === null)
      yield one;
  }
}

interface Traffic {
  readonly banners: readonly SampleBanner[];
  readonly ids: { readonly banners: ReadonlyMap<string, number>; readonly positions: ReadonlyMap<string, number> };
  readonly clock: Today;
}

async function insertTraffic(tx: Tx, { banners, ids, clock }: Traffic): Promise<Omit<SampleCounts, 'banners'>> {
  const rows: Record<EventKind, EventRow[]> = { impressions: [], clicks: [] };
  for (const event of sampleTraffic({ banners, weekday: weekdayOf(clock.today) })) {
    const day = addDays(clock.today, -event.daysAgo);
    const at = dayStart(day, clock.zone) + event.minute * minuteMs;
    if (at > clock.now) continue;
    const ad = idOf(ids.banners, event.banner);
    const position = idOf(ids.positions, event.position);
    const row = { ad, position, at, day, visitor: event.visitor, ip: event.ip };
    rows.impressions.push(row);
    if (event.click !== null) rows.clicks.push({ ...row, ...event.click });
  }
  for (const kind of ['impressions', 'clicks'] as const) {
    // Ids count up with time, as they would have.
    const inOrder = rows[kind].sort((one, other) => one.at - other.at);
    for (const some of batchesOf(inOrder, together)) await insertEvents(tx, kind, some);
  }
  const none = { clicks: 0, impressions: 0, conversions: 0 };
  const shown = rows.impressions.map((row) => ({ ...row, ...none, impressions: 1 }));
  const clicked = rows.clicks.map((row) => ({ ...row, ...none, clicks: 1, conversions: row.orderId ? 1 : 0 }));
  await addToDays(tx, shown);
  await addToDays(tx, clicked);
  await addToReferrerDays(
    tx,
    rows.clicks.map(({ day, position, referrer = '' }) => ({ day, position, referrer, clicks: 1 })),
  );
  return { impressions: rows.impressions.length, clicks: rows.clicks.length };
}

function idOf(ids: ReadonlyMap<string, number>, key: string): number {
  const id = ids.get(key);
  if (id === undefined) throw new RangeError(`the sample has no ${key}`);
  return id;
}
