/**
 * Banners, and the positions, links and presets that belong to them. Values have the same names on
 * the wire, in columns and in the audit log.
 */
export const bannerTypes = ['image', 'html'] as const;

export type BannerType = (typeof bannerTypes)[number];

/** Hours of the week in which a banner is shown, by the clocks of the banners' time zone. */
export interface ShowHours {
  /** Monday 1 to Sunday 7, ascending; empty = every day. */
  readonly days: readonly number[];
  /** 0 to 23, ascending; empty = every hour. */
  readonly hours: readonly number[];
}

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

export interface Position {
  readonly id: number;
  readonly name: string;
  /** Empty = every context. */
  readonly context_key: string;
}

/** One banner at one position. Its id is the `adposition` of click and impression addresses. */
export interface Link {
  readonly id: number;
  readonly ad: number;
  readonly position: number;
  /** Place among the links of the position, from 0. */
  readonly idx: number;
  /** 1 or more. */
  readonly weight: number;
}

export const largestWeight = 1_000_000;

/** Keys of contexts; the contexts may be unknown. */
export const contextForm = /^[A-Za-z0-9._-]{1,100}$/;

export interface Preset {
  readonly id: number;
  readonly name: string;
  readonly type: BannerType;
  /** Name of a display template, for the program that shows the banner. */
  readonly tpl: string;
  /** Banner fields as in a body. */
  readonly defaults_data: Readonly<Record<string, unknown>>;
}
