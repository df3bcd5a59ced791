/** What decides when and where a banner of the sample site is shown, read from its record. */

import type { ShowHours } from '../../banners/rules/banner.js';
import { hoursType } from '../../banners/rules/field-types.js';
import { ValueProblem } from '../../content/objects/values.js';
import { dayMs } from '../../values/dates.js';
import type { TransferRecord } from '../transfer/read-records.js';

export interface SampleBanner {
  readonly name: string;
  /** First and last day, in days from the one on which the file was written; null = unbounded. */
  readonly firstDay: number | null;
  readonly lastDay: number | null;
  readonly showHours: ShowHours | null;
  readonly maxImpressions: number;
  readonly positions: readonly { readonly position: string; readonly weight: number }[];
}

/** What is not sound is refused when the record is loaded. */
export function bannerOf({ record, exported }: TransferRecord): SampleBanner {
  const { name, start, end, show_hours = null, max_impressions: most, positions } = record;
  const dayOf = (time: string): number => Math.floor(Date.parse(time) / dayMs);
  const daysFrom = (time: unknown) => (typeof time === 'string' ? dayOf(time) - dayOf(exported) : null);
  const hours = hoursType.parse(show_hours);
  return {
    name: String(name),
    firstDay: daysFrom(start),
    lastDay: daysFrom(end),
    showHours: hours instanceof ValueProblem ? null : hours,
    maxImpressions: Number(most ?? 0),
    positions: (Array.isArray(positions) ? positions : []).map(({ position, weight }) => ({
      position: String(position),
      weight: Number(weight),
    })),
  };
}
