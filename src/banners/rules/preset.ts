/** Presets: values that a new banner starts with. The API calls them templates. */
import type { BannerType } from './banner.js';

export interface Preset {
  readonly id: number;
  readonly name: string;
  readonly type: BannerType;
  /** Name of a display template, for whoever shows the banner. */
  readonly tpl: string;
  /** Banner fields as they stand in a body. */
  readonly defaults_data: Readonly<Record<string, unknown>>;
}
