/** One banner as its own routes show it: a row of the list, and its counters under one name besides. */
import type { BannerView } from '../management/read-banners.js';

export function bannerWithCounters(banner: BannerView): object {
  const { clicks, impressions, conversions } = banner;
  return { ...banner, counters: { clicks, impressions, conversions } };
}
