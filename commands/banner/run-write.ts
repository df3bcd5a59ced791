/** Writes banners for `hcd banner add|update|duplicate`. */

import {
  createBanner,
  createFromPreset,
  duplicateBanner,
  type WrittenBanner,
} from '../../src/banners/management/create-banner.js';
import { readPreset } from '../../src/banners/management/presets.js';
import { updateBanner } from '../../src/banners/management/update-banner.js';
import type { Preset } from '../../src/banners/rules/preset.js';
import type { Store } from '../../src/store/open/open.js';
import type { Deps } from '../deps.js';
import { presetSelector } from '../preset/run-preset.js';
import type { RecordResult } from '../result.js';
import { openReady } from '../store/open-ready.js';
import { usageError } from '../usage-error.js';
import { bannerJson, shownFields } from './banner-json.js';
import { bodyOf, type Members, type WriteFlags } from './field-flags.js';

const username = 'cli';

export async function runAdd(
  flags: WriteFlags & { readonly preset: string | undefined },
  deps: Deps,
): Promise<RecordResult> {
  const given = await bodyOf(flags, deps);
  const { preset } = flags;
  // Before the database is opened: what is missing on the command line is wrong usage.
  const named = preset === undefined && given['name'] === undefined ? { ...given, name: await askName(deps) } : given;
  const store = await openReady(deps);
  const banner =
    preset === undefined
      ? await createBanner(store, { body: named, username })
      : await addFromPreset(store, { preset: await readPreset(store, presetSelector(preset)), given });
  const notes =
    banner.positions.length === 0 ? [`It has no position yet: hcd position link POSITION ${banner.id}`] : [];
  return { kind: 'record', record: bannerJson(banner), fields: shownFields, notes };
}

export async function runUpdate(flags: WriteFlags & { readonly id: number }, deps: Deps): Promise<RecordResult> {
  const { id } = flags;
  const body = await bodyOf(flags, deps);
  if (Object.keys(body).length === 0) {
    throw usageError({ '--data': 'is required when no field is given: there is nothing to change' });
  }
  const banner = await updateBanner(await openReady(deps), { id, body, username });
  return { kind: 'record', record: bannerJson(banner), fields: shownFields };
}

export async function runDuplicate(
  { id, disabled }: { readonly id: number; readonly disabled: boolean },
  deps: Deps,
): Promise<RecordResult> {
  const banner = await duplicateBanner(await openReady(deps), { id, isDisabled: disabled, username });
  return { kind: 'record', record: bannerJson(banner), fields: shownFields };
}

function askName(deps: Deps): Promise<string> {
  const check = (text: string): string | null => (text.trim() === '' ? 'A banner needs a name' : null);
  return deps.prompt.text({ message: 'Name of the banner', flag: '--name', check });
}

interface FromPreset {
  readonly preset: Preset;
  /** What is given beside the preset. */
  readonly given: Members;
}

/** A banner from a preset takes the preset's name and values. */
function addFromPreset(store: Store, { preset, given }: FromPreset): Promise<WrittenBanner> {
  const { id, name, type, defaults_data } = preset;
  const isBare = Object.keys(given).every((field) => field === 'positions');
  return isBare
    ? createFromPreset(store, { body: { ...given, template_id: id }, username })
    : createBanner(store, { body: { type, ...defaults_data, name, ...given }, username });
}
