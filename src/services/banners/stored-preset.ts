/** Between a preset and its row. */
import { bannerTypes } from '../../banners/banner.js';
import { plainObject } from '../../banners/field-types.js';
import type { Preset } from '../../banners/preset.js';
import type { AdPresetRow } from '../../store/rows/ad-presets.js';

/** Text that is no JSON object counts as an empty one: one damaged row must not stop a list. */
export function presetOf({ id, name, type, tpl, defaults }: AdPresetRow): Preset {
  return {
    id,
    name,
    type: bannerTypes.find((known) => known === type) ?? 'image',
    tpl,
    defaults_data: plainObject(parsedJson(defaults)) ?? {},
  };
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
