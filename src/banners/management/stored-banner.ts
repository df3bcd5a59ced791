/** Between a banner and its row: lists are JSON text in columns, and hours have bits beside them for searching. */

import { ValueProblem } from '../../content/objects/values.js';
import { parseJson } from '../../values/json.js';
import type { AdRow, AdWrite } from '../rows/ads.js';
import { type Banner, type BannerValues, bannerTypes } from '../rules/banner.js';
import { hoursType, tagsType } from '../rules/field-types.js';
import { hourBits } from '../rules/show-hours.js';

/** Text that is no longer what a field accepts counts as none: one damaged row must not stop a list. */
export function bannerOf(row: AdRow): Banner {
  const { show_hours, tags, type, active, ...same } = row;
  const hours = hoursType.parse(parseJson(show_hours || 'null'));
  const list = tagsType.parse(parseJson(tags || 'null'));
  return {
    ...same,
    active: active ? 1 : 0,
    type: bannerTypes.find((known) => known === type) ?? 'image',
    show_hours: hours instanceof ValueProblem ? null : hours,
    tags: list instanceof ValueProblem ? [] : list,
  };
}

/** What the columns get. */
export function rowOf(values: BannerValues): AdWrite {
  const { show_hours, tags, active, ...same } = values;
  const bits = hourBits(show_hours);
  return {
    ...same,
    active: active === 1,
    show_hours: show_hours === null ? null : JSON.stringify(show_hours),
    show_days_bits: bits.days,
    show_hours_bits: bits.hours,
    tags: tags.length === 0 ? null : JSON.stringify(tags),
  };
}
