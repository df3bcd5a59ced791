/** Which banners a place on a page shows (docs/banners-tracking.md#slots). */
import type { ShowHours } from './banner.js';
import type { Banner, BannerValues } from './banner-fields.js';
import type { Counts as AllCounts } from './figures.js';
import { localTime } from './local-time.js';

export interface Place {
  readonly moment: Moment;
  readonly resource: number | null;
  /** At any depth. */
  readonly sections: ReadonlySet<number>;
  readonly product: number | null;
  /** At any depth. */
  readonly categories: ReadonlySet<number>;
  readonly tags: readonly string[];
  readonly tagsMode: 'any' | 'all';
}

export type Counts = Pick<AllCounts, 'clicks' | 'impressions'>;

/** Why a place does not show a banner: the first of them that holds. */
export type HiddenReason = 'disabled' | 'ended' | 'planned' | 'off_hours' | 'page' | 'product' | 'tags' | 'capped';

/** Null for a banner that fits. `counts` is called only for one with a cap. */
export function whyHidden(banner: Banner, place: Place, counts: () => Counts): HiddenReason | null {
  const off = whyOff(banner, place.moment);
  if (off !== null) return off;
  if (!fitsPage(banner, place)) return 'page';
  if (!fitsProduct(banner, place)) return 'product';
  if (!fitsTags(banner, place)) return 'tags';
  return isBelowCaps(banner, counts) ? null : 'capped';
}

/** What holds at every place. `start` and `end` are included, to the second. */
export function whyOff(
  { active, start, end, show_hours }: Pick<BannerValues, 'active' | 'start' | 'end' | 'show_hours'>,
  { ms, zone }: Moment,
): 'disabled' | 'ended' | 'planned' | 'off_hours' | null {
  const seconds = Math.floor(ms / 1000);
  if (active !== 1) return 'disabled';
  if (end !== null && end < seconds) return 'ended';
  if (start !== null && start > seconds) return 'planned';
  return isWithinHours(show_hours, ms, zone) ? null : 'off_hours';
}

function fitsPage({ target_resource_id, target_parent_id }: Banner, { resource, sections }: Place): boolean {
  const fitsResource = target_resource_id === 0 || target_resource_id === resource;
  return fitsResource && (target_parent_id === 0 || sections.has(target_parent_id));
}

/** Without a product, only banners without product and category fit. */
function fitsProduct({ product_id, category_id }: Banner, { product, categories }: Place): boolean {
  return (product_id === 0 || product_id === product) && (category_id === 0 || categories.has(category_id));
}

function fitsTags(banner: Banner, { tags, tagsMode }: Place): boolean {
  if (tags.length === 0) return true;
  const has = (tag: string): boolean => banner.tags.includes(tag);
  return tagsMode === 'all' ? tags.every(has) : tags.some(has);
}

/** A reached cap hides the banner but does not turn it off. */
export function isBelowCaps({ max_clicks, max_impressions }: BannerValues, counts: () => Counts): boolean {
  if (max_clicks === 0 && max_impressions === 0) return true;
  const { clicks, impressions } = counts();
  return (max_clicks === 0 || clicks < max_clicks) && (max_impressions === 0 || impressions < max_impressions);
}

export interface Moment {
  readonly ms: number;
  readonly zone: string;
}

/** The lists as bits: bit 0 is Monday and hour 0; 0 = every day, every hour. */
interface HourBits {
  readonly days: number;
  readonly hours: number;
}

export function hourBits(showHours: ShowHours | null): HourBits {
  return {
    days: bitsOf((showHours?.days ?? []).map((day) => day - 1)),
    hours: bitsOf(showHours?.hours ?? []),
  };
}

export function momentBits(ms: number, zone: string): HourBits {
  const { weekday, hour } = localTime(ms, zone);
  return { days: bitsOf([weekday - 1]), hours: bitsOf([hour]) };
}

export function isWithinHours(showHours: ShowHours | null, ms: number, zone: string): boolean {
  if (showHours === null) return true;
  const { weekday, hour } = localTime(ms, zone);
  const { days, hours } = showHours;
  return (days.length === 0 || days.includes(weekday)) && (hours.length === 0 || hours.includes(hour));
}

function bitsOf(places: readonly number[]): number {
  return places.reduce((bits, place) => bits | (1 << place), 0);
}
