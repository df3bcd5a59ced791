/** Between a preset and its row. */

import { parseJson } from '../../values/json.js';
import type { AdPresetRow } from '../rows/ad-presets.js';
import { bannerTypes } from '../rules/banner.js';
import { plainObject } from '../rules/field-types.js';
import type { Preset } from '../rules/preset.js';

/** Text that is no JSON object counts as an empty one: one damaged row must not stop a list. */
export function presetOf({ id, name, type, tpl, defaults }: AdPresetRow): Preset {
  return {
    id,
    name,
    type: bannerTypes.find((known) => known === type) ?? 'image',
    tpl,
    defaults_data: plainObject(parseJson(defaults)) ?? {},
  };
}
