/** Presets: lists them for the API and commands, adds and removes them for commands. */

import { ValueProblem } from '../../content/objects/values.js';
import { AppError, Problems } from '../../errors/app-error.js';
import {
  countAdPresets,
  deleteAdPreset,
  insertAdPreset,
  readAdPreset,
  readAdPresetByName,
  readAdPresets,
} from '../rows/ad-presets.js';
import { type BannerType, bannerTypes } from '../rules/banner.js';
import { choiceType, neededText, optionalText } from '../rules/field-types.js';
import type { Preset } from '../rules/preset.js';
import { readBannerBody } from '../rules/read-banner-body.js';
import type { BannerStore } from './banner-store.js';
import { type WriterName, writeNoted } from './note-write.js';
import { presetOf } from './stored-preset.js';

export interface NewPreset {
  readonly name: string;
  readonly type: string;
  /** Name of a display template; empty = none. */
  readonly tpl: string;
  /** Banner fields as in a body, without name, newimage and positions. */
  readonly defaults: Readonly<Record<string, unknown>>;
  readonly username: WriterName;
}

/** Presets in order of id, and how many there are in all. */
export async function listPresets(
  { own }: BannerStore,
  page: { readonly limit: number; readonly offset: number },
): Promise<{ readonly presets: readonly Preset[]; readonly total: number }> {
  const [rows, total] = await Promise.all([readAdPresets(own.primary, page), countAdPresets(own.primary)]);
  return { presets: rows.map(presetOf), total };
}

/** One preset by id or by its name. Throws not_found. */
export async function readPreset(
  { own }: BannerStore,
  selector: { readonly id: number } | { readonly name: string },
): Promise<Preset> {
  const row =
    'id' in selector
      ? await readAdPreset(own.primary, selector.id)
      : await readAdPresetByName(own.primary, selector.name);
  if (row !== null) return presetOf(row);
  const given = 'id' in selector ? selector.id : selector.name;
  throw new AppError('not_found', { message: `There is no preset ${given}; hcd preset list shows every preset` });
}

/** Throws validation_failed with every problem, and conflict when another preset has the name. */
export async function addPreset({ own }: BannerStore, given: NewPreset): Promise<Preset> {
  const preset = checkPreset(given);
  return writeNoted(own, async (tx, note) => {
    if ((await readAdPresetByName(tx, preset.name)) !== null) {
      throw new AppError('conflict', { message: `There is a preset ${preset.name} already` });
    }
    const id = await insertAdPreset(tx, { ...preset, defaults: JSON.stringify(preset.defaults_data) });
    const { username } = given;
    await note({
      entity: 'template',
      id,
      label: preset.name,
      action: 'create',
      username,
      before: null,
      after: preset,
    });
    return { id, ...preset };
  });
}

/** Banners that were made from it stay as they are. Throws not_found. */
export async function removePreset(
  { own }: BannerStore,
  { id, username }: { readonly id: number; readonly username: WriterName },
): Promise<Preset> {
  return writeNoted(own, async (tx, note) => {
    const row = await readAdPreset(tx, id);
    if (row === null) {
      throw new AppError('not_found', { message: `There is no preset ${id}; hcd preset list shows every preset` });
    }
    await deleteAdPreset(tx, id);
    const preset = presetOf(row);
    const { id: _id, ...before } = preset;
    await note({
      entity: 'template',
      id,
      label: preset.name,
      action: 'delete',
      username,
      before,
      after: null,
    });
    return preset;
  });
}

/** Fields that a preset has no value for: its own name is the banner's, and positions are given with each banner. */
const notInPresets: readonly string[] = ['name', 'newimage', 'positions'];

/** Throws validation_failed with every problem. */
export function checkPreset({ name, type, tpl, defaults }: Omit<NewPreset, 'username'>): Omit<Preset, 'id'> {
  const problems = new Problems('validation failed');
  const read = <T>(field: string, parsed: T | ValueProblem): T | undefined => {
    if (!(parsed instanceof ValueProblem)) return parsed;
    problems.add(field, parsed.problem);
    return undefined;
  };
  const accepted = {
    name: read('name', neededText({ maxLength: 255 }).parse(name)),
    type: read('type', choiceType<BannerType>(bannerTypes).parse(type)),
    tpl: read('tpl', optionalText({ maxLength: 100 }).parse(tpl)),
  };
  const request = readBannerBody(defaults);
  for (const field of Object.keys(defaults)) {
    if (notInPresets.includes(field)) problems.add(field, 'is no value of a preset');
  }
  for (const [field, texts] of Object.entries(request.problems.fields)) {
    for (const text of texts) problems.add(field, text);
  }
  problems.throwIfAny();
  if (accepted.name === undefined || accepted.type === undefined || accepted.tpl === undefined) {
    throw new AppError('internal_error');
  }
  // As they were given: a banner that is made from them reads them once more.
  return { name: accepted.name, type: accepted.type, tpl: accepted.tpl, defaults_data: defaults };
}
