/** A banner in the form of answers, audit entries and the JSON of commands: times as ISO 8601, everything else as it is. */
import { isoTime } from '../../values/dates.js';
import type { Banner, BannerValues } from './banner.js';
import { bannerValueNames } from './banner-fields.js';

/** Values under their wire names. */
export type BannerValuesRecord = {
  readonly [Name in keyof BannerValues]: Name extends 'start' | 'end' ? string | null : BannerValues[Name];
};

export interface BannerRecord extends BannerValuesRecord {
  readonly id: number;
}

export function bannerRecord(banner: Banner): BannerRecord {
  return { id: banner.id, ...valuesRecord(banner) };
}

/** The values in the order of the table of fields. */
export function valuesRecord(values: BannerValues): BannerValuesRecord {
  const ordered = bannerValueNames.map((name) => [name, values[name]]);
  // Only the times change their form.
  return {
    ...Object.fromEntries(ordered),
    start: isoTime(values.start),
    end: isoTime(values.end),
  } as BannerValuesRecord;
}
