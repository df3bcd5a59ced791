/** What the commands for presets of banners share. */
import type { Preset } from '../../src/banners/rules/banner.js';
import { decodeJson } from '../banner/shared.js';
import type { JsonRecord } from '../command.js';

export function presetRecord({ id, name, type, tpl, defaults_data }: Preset): JsonRecord {
  return { id, name, type, tpl, defaults_data: decodeJson(defaults_data), fields: Object.keys(defaults_data) };
}
