/** Lists, adds and removes presets, which the API calls templates. */

import { AppError, Problems } from '../../errors/app-error.js';
import { fromNow } from '../../store/models/columns.js';
import type { Checked } from '../../values/checked.js';
import { presetAttributes, presets } from '../models/presets.js';
import { type BannerType, bannerTypes, type Preset } from '../rules/banner.js';
import { choiceType, neededText, optionalText } from '../rules/field-types.js';
import { readBannerBody } from '../rules/read-banner-body.js';
import { type WriterName, writeNoted } from './audit.js';
import type { BannerStore } from './banner-store.js';

interface NewPreset {
  readonly name: string;
  readonly type: string;
  readonly tpl: string;
  readonly defaults: Readonly<Record<string, unknown>>;
  readonly username: WriterName;
}

export async function listPresets({ own }: BannerStore, page: { readonly limit: number; readonly offset: number }) {
  const { findAll, count } = presets.on(own.primary);
  const [rows, total] = await Promise.all([findAll({ attributes: presetAttributes, order: ['id'], ...page }), count()]);
  return { rows, total };
}

/** Throws not_found. */
export async function readPreset(
  { own }: BannerStore,
  selector: { readonly id: number } | { readonly name: string },
): Promise<Preset> {
  const [preset] = await presets.on(own.primary).lookUpAll(selector, { attributes: presetAttributes });
  if (preset === undefined) throw noPreset('id' in selector ? selector.id : selector.name);
  return preset;
}

/** Throws validation_failed with every problem, and conflict when another preset has the name. */
export async function addPreset({ own }: BannerStore, given: NewPreset): Promise<Preset> {
  const preset = checkPreset(given);
  return writeNoted({ own, username: given.username }, async (tx, note) => {
    if ((await presets.on(tx).lookUp({ name: preset.name })) !== null) {
      throw new AppError('conflict', { message: `There is a preset ${preset.name} already` });
    }
    const id = await presets.on(tx).create({ ...preset, createdOn: fromNow(tx) });
    await note({ entity: 'template', id, label: preset.name, action: 'create', after: preset });
    return { id, ...preset };
  });
}

/** Throws not_found. */
export async function removePreset(
  { own }: BannerStore,
  { id, username }: { readonly id: number; readonly username: WriterName },
): Promise<Preset> {
  return writeNoted({ own, username }, async (tx, note) => {
    const [preset] = await presets.on(tx).lookUpAll({ id }, { attributes: presetAttributes });
    if (preset === undefined) throw noPreset(id);
    await presets.on(tx).destroy({ where: { id } });
    const { id: _id, ...before } = preset;
    await note({ entity: 'template', id, label: preset.name, action: 'delete', before });
    return preset;
  });
}

function noPreset(given: number | string): AppError {
  return new AppError('not_found', { message: `There is no preset ${given}; hcd preset list shows every preset` });
}

/** A preset names the banner, and each banner has its own positions. */
const notInPresets: readonly string[] = ['name', 'newimage', 'positions'];

export function checkPreset({ name, type, tpl, defaults }: Omit<NewPreset, 'username'>): Omit<Preset, 'id'> {
  const problems = new Problems('validation failed');
  const read = <T>(field: string, parsed: Checked<T>, otherwise: T): T => {
    if (parsed.ok) return parsed.value;
    problems.add(field, parsed.problem);
    return otherwise;
  };
  const accepted = {
    name: read('name', neededText({ maxLength: 255 }).parse(name), ''),
    type: read('type', choiceType<BannerType>(bannerTypes).parse(type), 'image'),
    tpl: read('tpl', optionalText({ maxLength: 100 }).parse(tpl), ''),
  };
  const request = readBannerBody(defaults);
  for (const field of Object.keys(defaults)) {
    if (notInPresets.includes(field)) problems.add(field, 'is not a value of a preset');
  }
  for (const [field, texts] of Object.entries(request.problems.fields)) {
    for (const text of texts) problems.add(field, text);
  }
  problems.throwIfAny();
  // As they were given: each new banner reads them again.
  return { ...accepted, defaults_data: defaults };
}
