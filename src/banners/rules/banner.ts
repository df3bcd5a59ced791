/** Values have the same names on the wire, in columns and in the audit log. */
export const bannerTypes = ['image', 'html'] as const;

export type BannerType = (typeof bannerTypes)[number];

export interface ShowHours {
  /** Monday 1 to Sunday 7, ascending; empty = every day. */
  readonly days: readonly number[];
  /** 0 to 23, ascending; empty = every hour. */
  readonly hours: readonly number[];
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
