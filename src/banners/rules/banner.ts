/** Values have the same names on the wire, in columns and in the audit log. */
export const bannerTypes = ['image', 'html'] as const;

export type BannerType = (typeof bannerTypes)[number];

export interface ShowHours {
  /** Monday 1 to Sunday 7, ascending; empty = every day. */
  readonly days: readonly number[];
  /** 0 to 23, ascending; empty = every hour. */
  readonly hours: readonly number[];
}

export interface BannerValues {
  readonly name: string;
  readonly url: string;
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
  readonly context_key: string;
}

/** The id of a link is the `adposition` of click and impression addresses. */
export interface Link {
  readonly id: number;
  readonly ad: number;
  readonly position: number;
  readonly idx: number;
  readonly weight: number;
}

export const largestWeight = 1_000_000;

export const contextForm = /^[A-Za-z0-9._-]{1,100}$/;

export interface Preset {
  readonly id: number;
  readonly name: string;
  readonly type: BannerType;
  readonly tpl: string;
  readonly defaults_data: Readonly<Record<string, unknown>>;
}
