/** Banners as the API and commands show them: values, counters, positions and the address of the image. */

import type { Reader } from '../../store/base/database.js';
import { noCounters, readCountersOfAds } from '../rows/ad-counters.js';
import { countLinks, readAdsOfPosition, readLinksOfAds } from '../rows/ad-links.js';
import { type AdFilter, type AdPage, countAds, readAds } from '../rows/ad-list.js';
import { readAdPosition } from '../rows/ad-positions.js';
import { readAd } from '../rows/ads.js';
import type { Banner, BannerCounters } from '../rules/banner.js';
import { type BannerRecord, bannerRecord } from '../rules/banner-record.js';
import type { Moment } from '../rules/schedule.js';
import { momentBits } from '../rules/show-hours.js';
import type { ImageAddress } from './banner-images.js';
import type { BannerStore } from './banner-store.js';
import { noBanner, type WrittenBanner } from './create-banner.js';
import { noPosition } from './positions.js';
import { bannerOf } from './stored-banner.js';

/** What rows add to the fields of a banner (docs/banners.md#banners). */
export interface BannerView extends BannerRecord, BannerCounters {
  /** Ids, ascending. */
  readonly positions: readonly number[];
  readonly current_image: string;
}

/** A banner at a position; `adposition` is the id of the link, which click and impression addresses name. */
export interface PositionBannerView extends BannerView {
  readonly adposition: number;
  readonly idx: number;
  readonly weight: number;
}

export interface BannerListRequest extends Omit<AdFilter, 'onSchedule'> {
  /** Only banners that are on schedule at the moment; null = all. */
  readonly onScheduleAt: Moment | null;
  readonly page: AdPage;
  readonly images: ImageAddress;
}

/** Banners of one page, and how many fit in all. */
export async function listBanners(
  { own }: BannerStore,
  { onScheduleAt, page, images, ...asked }: BannerListRequest,
): Promise<{ readonly banners: readonly BannerView[]; readonly total: number }> {
  const filter: AdFilter = { ...asked, onSchedule: onScheduleAt === null ? null : scheduleOf(onScheduleAt) };
  const [rows, total] = await Promise.all([readAds(own.primary, filter, page), countAds(own.primary, filter)]);
  return { banners: await viewsOf(own.primary, { banners: rows.map(bannerOf), images }), total };
}

/** Throws not_found. */
export async function readBanner(
  { own }: BannerStore,
  { id, images }: { readonly id: number; readonly images: ImageAddress },
): Promise<BannerView> {
  const row = await readAd(own.primary, id);
  const [view] = row === null ? [] : await viewsOf(own.primary, { banners: [bannerOf(row)], images });
  if (view === undefined) throw noBanner(id);
  return view;
}

/** The view of a banner that was just written, whatever happened to it since. */
export async function viewWritten(
  { own }: BannerStore,
  { banner, images }: { readonly banner: WrittenBanner; readonly images: ImageAddress },
): Promise<BannerView> {
  const { positions, ...record } = banner;
  const counters = await readCountersOfAds(own.primary, [banner.id]);
  return { ...record, ...(counters.get(banner.id) ?? noCounters), positions, current_image: images(banner) };
}

/** Banners of a position in its order, and how many there are in all. Throws not_found. */
export async function listBannersOfPosition(
  { own }: BannerStore,
  asked: { readonly position: number; readonly limit: number; readonly offset: number; readonly images: ImageAddress },
): Promise<{ readonly banners: readonly PositionBannerView[]; readonly total: number }> {
  const { position, limit, offset, images } = asked;
  if ((await readAdPosition(own.primary, position)) === null) throw noPosition(position);
  const [rows, counts] = await Promise.all([
    readAdsOfPosition(own.primary, { position, limit, offset }),
    countLinks(own.primary, [position]),
  ]);
  const views = await viewsOf(own.primary, { banners: rows.map(({ ad }) => bannerOf(ad)), images });
  const banners = rows.flatMap(({ link }, at) => {
    const view = views[at];
    return view === undefined ? [] : [{ ...view, adposition: link.id, idx: link.idx, weight: link.weight }];
  });
  return { banners, total: counts.get(position) ?? 0 };
}

function scheduleOf({ ms, zone }: Moment): NonNullable<AdFilter['onSchedule']> {
  const { days, hours } = momentBits(ms, zone);
  return { seconds: Math.floor(ms / 1000), dayBits: days, hourBits: hours };
}

/** In the order of the banners, by two statements however many there are. */
async function viewsOf(
  reader: Reader,
  { banners, images }: { readonly banners: readonly Banner[]; readonly images: ImageAddress },
): Promise<readonly BannerView[]> {
  const ids = banners.map(({ id }) => id);
  const [counters, links] = await Promise.all([readCountersOfAds(reader, ids), readLinksOfAds(reader, ids)]);
  const positions = new Map<number, number[]>();
  for (const { ad, position } of links) positions.set(ad, [...(positions.get(ad) ?? []), position]);
  return banners.map((banner) => ({
    ...bannerRecord(banner),
    ...(counters.get(banner.id) ?? noCounters),
    positions: positions.get(banner.id) ?? [],
    current_image: images(banner),
  }));
}
