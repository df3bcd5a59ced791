/** What a banner is: its stored values under the names that they have on the wire, in columns and in the audit log. */
import type { ShowHours } from './show-hours.js';

export const bannerTypes = ['image', 'html'] as const;

export type BannerType = (typeof bannerTypes)[number];

export interface BannerValues {
  readonly name: string;
  readonly url: string;
  /** Path relative to the media source, or a whole address. */
  readonly image: string;
  /** Id of a media source; 0 = the one of the setting, else the site's default. */
  readonly source: number;
  readonly active: 0 | 1;
  readonly description: string | null;
  readonly type: BannerType;
  readonly html: string | null;
  /** Unix seconds; null = unbounded. */
  readonly start: number | null;
  readonly end: number | null;
  /** 0 = none, as in every field that holds an id or a limit. */
  readonly product_id: number;
  readonly category_id: number;
  readonly max_clicks: number;
  readonly max_impressions: number;
  /** null = always. */
  readonly show_hours: ShowHours | null;
  readonly target_resource_id: number;
  readonly target_parent_id: number;
  readonly tags: readonly string[];
}

export interface Banner extends BannerValues {
  readonly id: number;
}

/** What visitors did, over all time. */
export interface BannerCounters {
  readonly clicks: number;
  readonly impressions: number;
  readonly conversions: number;
}
