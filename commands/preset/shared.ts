/** What the commands for presets share. */
import type { Preset } from '../../src/banners/rules/banner.js';
import { decodeJson } from '../banner/shared.js';
import type { JsonRecord } from '../result.js';

/** By id or by name. */
export function presetSelector(text: string): { readonly id: number } | { readonly name: string } {
  return /^[1-9]\d{0,9}$/.test(text) ? { id: Number(text) } : { name: text };
}

/** The names of the table's columns, and for lists which fields there are. */
export function presetRecord({ id, name, type, tpl, defaults_data }: Preset): JsonRecord {
  return { id, name, type, tpl, defaults_data: decodeJson(defaults_data), fields: Object.keys(defaults_data) };
}
