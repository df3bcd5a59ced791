/**
 * Loads the banners of the sample site with their events, in one transaction: what visitors did in the months before the
 * moment of loading. A store that has banners or positions already keeps them and gets none of these.
 */
import type { BannerValues } from '../../banners/banner.js';
import { addDays, dayStart, localDay, weekdayOf } from '../../banners/local-time.js';
import type { Environment } from '../../config/environment.js';
import {
  type SampleBanner,
  sampleBanners,
  samplePositions,
  samplePresets,
} from '../../sample/banners/sample-banners.js';
import { sampleTraffic } from '../../sample/banners/sample-traffic.js';
import { mediaSourceIds } from '../../sample/data/media-sources.js';
import type { PageLinks } from '../../sample/page.js';
import { sampleTree } from '../../sample/sample-site.js';
import type { Tx } from '../../store/database.js';
import type { Store } from '../../store/open.js';
import { addToDays } from '../../store/rows/ad-days.js';
import { type EventKind, type EventRow, insertEvents } from '../../store/rows/ad-events.js';
import { insertLink } from '../../store/rows/ad-links.js';
import { countAdPositions, insertAdPosition } from '../../store/rows/ad-positions.js';
import { insertAdPreset, readAdPresetByName } from '../../store/rows/ad-presets.js';
import { addToReferrerDays } from '../../store/rows/ad-referrer-days.js';
import { insertAd } from '../../store/rows/ads.js';
import { establishDaysZone } from '../banner-statistics/days-zone.js';
import { rowOf } from '../banners/stored-banner.js';
import { readRuntimeSettings } from './runtime-settings.js';

export interface LoadedBanners {
  readonly banners: number;
  readonly impressions: number;
  readonly clicks: number;
}

interface Moment {
  readonly env: Environment;
  /** Unix milliseconds. */
  readonly now: number;
}

interface Clock {
  readonly now: number;
  /** Digits of the day of `now`. */
  readonly today: number;
  readonly zone: string;
}

const minuteMs = 60_000;
/** Written together; the row functions make statements of them. */
const together = 2000;

/** Gives null when the store has banners or positions of its own. */
export async function loadSampleBanners(store: Store, { env, now }: Moment): Promise<LoadedBanners | null> {
  const { values } = await readRuntimeSettings(store, env);
  const zone = values.banners_timezone;
  const clock = { now, zone, today: localDay(now, zone) };
  await establishDaysZone(store.own, zone);
  return store.own.write(async (tx) => {
    if (await hasBanners(tx)) return null;
    const { links } = sampleTree();
    const banners = sampleBanners(links);
    const ids = await insertBanners(tx, { banners, links, clock });
    return { banners: banners.length, ...(await insertTraffic(tx, { banners, ids, clock })) };
  });
}

async function hasBanners(tx: Tx): Promise<boolean> {
  const [row] = await tx.select({ sql: 'SELECT COUNT(*) FROM `hcd_ads`', params: [] });
  return Number(row?.[0]) > 0 || (await countAdPositions(tx, null)) > 0;
}

/** Ids by key. */
interface Ids {
  readonly positions: ReadonlyMap<string, number>;
  readonly banners: ReadonlyMap<string, number>;
}

interface Site {
  readonly banners: readonly SampleBanner[];
  readonly links: PageLinks;
  readonly clock: Clock;
}

async function insertBanners(tx: Tx, { banners, links, clock }: Site): Promise<Ids> {
  const positions = new Map<string, number>();
  for (const { key, name, contextKey } of samplePositions) {
    positions.set(key, await insertAdPosition(tx, { name, context_key: contextKey }));
  }
  const places = new Map<string, number>();
  const ids = new Map<string, number>();
  for (const banner of banners) {
    const ad = await insertAd(tx, rowOf(valuesOf(banner, { links, clock })));
    ids.set(banner.key, ad);
    for (const { position, weight } of banner.positions) {
      const idx = places.get(position) ?? 0;
      places.set(position, idx + 1);
      await insertLink(tx, { ad, position: idOf(positions, position), idx, weight });
    }
  }
  for (const { name, type, tpl, defaults } of samplePresets) {
    if ((await readAdPresetByName(tx, name)) !== null) continue;
    await insertAdPreset(tx, { name, type, tpl, defaults: JSON.stringify(defaults) });
  }
  return { positions, banners: ids };
}

function valuesOf(banner: SampleBanner, { links, clock: { today, zone } }: Omit<Site, 'banners'>): BannerValues {
  const startOf = (day: number): number => dayStart(addDays(today, day), zone) / 1000;
  return {
    name: banner.name,
    url: banner.url,
    image: banner.image,
    source: banner.image === '' ? 0 : mediaSourceIds.pictures,
    active: banner.active,
    description: banner.description,
    type: banner.type,
    html: banner.html,
    start: banner.firstDay === null ? null : startOf(banner.firstDay),
    // To the last second of the last day.
    end: banner.lastDay === null ? null : startOf(banner.lastDay + 1) - 1,
    product_id: 0,
    category_id: 0,
    max_clicks: banner.maxClicks,
    max_impressions: banner.maxImpressions,
    show_hours: banner.showHours,
    target_resource_id: banner.onPage === null ? 0 : links.id(banner.onPage),
    target_parent_id: banner.inSection === null ? 0 : links.id(banner.inSection),
    tags: banner.tags,
  };
}

interface Traffic {
  readonly banners: readonly SampleBanner[];
  readonly ids: Ids;
  readonly clock: Clock;
}

async function insertTraffic(tx: Tx, { banners, ids, clock }: Traffic): Promise<Omit<LoadedBanners, 'banners'>> {
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
    for (let start = 0; start < inOrder.length; start += together) {
      await insertEvents(tx, kind, inOrder.slice(start, start + together));
    }
  }
  await addToDays(
    tx,
    rows.impressions.map((row) => ({ ...row, clicks: 0, impressions: 1, conversions: 0 })),
  );
  await addToDays(
    tx,
    rows.clicks.map((row) => ({
      ...row,
      clicks: 1,
      impressions: 0,
      conversions: typeof row.orderId === 'string' ? 1 : 0,
    })),
  );
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
