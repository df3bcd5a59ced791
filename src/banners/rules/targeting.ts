/**
 * Which banners fit a place on a page: all conditions of docs/reference/banners.md#slots-and-visitors, each of which
 * must hold.
 */
import type { Banner, BannerCounters } from './banner.js';
import { isOnSchedule, type Moment } from './schedule.js';

export interface Place {
  readonly moment: Moment;
  /** The page; null when it is not named. */
  readonly resource: number | null;
  /** The sections that the page is in, at whatever depth. */
  readonly sections: ReadonlySet<number>;
  readonly product: number | null;
  /** The categories that the product is in, at whatever depth. */
  readonly categories: ReadonlySet<number>;
  /** Empty: no matter. */
  readonly tags: readonly string[];
  readonly tagsMode: 'any' | 'all';
}

/** Recorded so far. */
export type Counts = Pick<BannerCounters, 'clicks' | 'impressions'>;

/** Whether the banner may be shown there; `counts` is asked for those with a cap only. */
export function fitsPlace(banner: Banner, place: Place, counts: () => Counts): boolean {
  return (
    banner.active === 1 &&
    isOnSchedule(banner, place.moment) &&
    fitsPage(banner, place) &&
    fitsProduct(banner, place) &&
    fitsTags(banner, place) &&
    isBelowCaps(banner, counts)
  );
}

function fitsPage({ target_resource_id, target_parent_id }: Banner, { resource, sections }: Place): boolean {
  const fitsResource = target_resource_id === 0 || target_resource_id === resource;
  return fitsResource && (target_parent_id === 0 || sections.has(target_parent_id));
}

/** Without a product only the banners for none are shown. */
function fitsProduct({ product_id, category_id }: Banner, { product, categories }: Place): boolean {
  return (product_id === 0 || product_id === product) && (category_id === 0 || categories.has(category_id));
}

function fitsTags(banner: Banner, { tags, tagsMode }: Place): boolean {
  if (tags.length === 0) return true;
  const has = (tag: string): boolean => banner.tags.includes(tag);
  return tagsMode === 'all' ? tags.every(has) : tags.some(has);
}

/** A cap that is reached hides the banner and changes nothing about it. */
function isBelowCaps({ max_clicks, max_impressions }: Banner, counts: () => Counts): boolean {
  if (max_clicks === 0 && max_impressions === 0) return true;
  const { clicks, impressions } = counts();
  return (max_clicks === 0 || clicks < max_clicks) && (max_impressions === 0 || impressions < max_impressions);
}
