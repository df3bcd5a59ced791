/** What the commands for banners, positions and presets share: the flags of the fields, and records. */

import type { BannerView } from '../../src/banners/management/read-banners.js';
import { switchBanner } from '../../src/banners/management/update-banner.js';
import { type BannerFieldName, bannerField, bannerFieldNames } from '../../src/banners/rules/banner-fields.js';
import { bannerState } from '../../src/banners/rules/banner-state.js';
import { countType, flagType, hoursType, idsType, momentType, tagsType } from '../../src/banners/rules/field-types.js';
import type { Moment } from '../../src/banners/rules/targeting.js';
import { textValue } from '../../src/config/value-type.js';
import { timeSeconds } from '../../src/values/dates.js';
import { isIdText } from '../../src/values/unsigned.js';
import type { DoneResult } from '../command.js';
import type { Deps, SiteDeps } from '../deps.js';
import { idValue, required } from '../parameters.js';
import { type Members, recordFlags, type WholeFlags } from '../whole-object.js';

export const bannerParameter = required(idValue, 'Id of the banner (see hcd banner list)', { placeholder: 'ID' });

export const positionValue = textValue({ accepts: 'the id or the name of a position' });

export const positionParameter = required(positionValue, 'Id or name of the position (see hcd position list)', {
  placeholder: 'POSITION',
});

export function withState(banner: BannerView, moment: Moment) {
  const { clicks, impressions, positions, start, end } = banner;
  const times = { start: start === null ? null : timeSeconds(start), end: end === null ? null : timeSeconds(end) };
  const state = bannerState({ ...banner, ...times }, { moment, counts: { clicks, impressions }, positions });
  return { ...banner, ...state };
}

export const shownFields = ['id', 'name', 'type', 'active', 'start', 'end', 'url', 'image', 'positions', 'tags'];

export async function switchTo(
  id: number,
  { deps, active }: { readonly deps: SiteDeps; readonly active: boolean },
): Promise<DoneResult> {
  const { banner, wasSo } = await switchBanner(deps.store, { id, active, username: deps.writer });
  const state = active ? 'on' : 'off';
  const message = wasSo
    ? `Banner ${id} "${banner.name}" is already ${state}; nothing to do.`
    : `Turned ${state} banner ${id} "${banner.name}".`;
  return { kind: 'done', message, data: banner };
}

const placeholders = new Map<object, string>([
  [countType, 'N'],
  [flagType, 'FLAG'],
  [momentType, 'TIME'],
  [hoursType, 'JSON'],
  [tagsType, 'LIST'],
  [idsType, 'LIST'],
]);

const written = {
  example: '{"name": "Spring sale"}',
  also: 'Fields by name; flags override them',
  about(name: BannerFieldName) {
    const { description, type } = bannerField(name);
    const { schema } = type;
    return { description: description.replace(/\.$/, ''), placeholder: placeholders.get(type) ?? 'TEXT', schema };
  },
};

const givenWithBanner: readonly BannerFieldName[] = ['name', 'newimage', 'positions', 'type'];

const bannerFlags = recordFlags(bannerFieldNames, written);
const presetFlags = recordFlags(
  bannerFieldNames.filter((name) => !givenWithBanner.includes(name)),
  written,
);

export const writeParameters = { ...bannerFlags.whole, ...bannerFlags.fields };
export const presetParameters = { ...presetFlags.whole, ...presetFlags.fields };

export function bodyOf(flags: WholeFlags, deps: Deps): Promise<Members> {
  return bannerFlags.read(flags, deps, jsonOf);
}

/** The text null means that a time or a text is not set. */
function jsonOf(name: BannerFieldName, text: string): unknown {
  const { type, default: unset } = bannerField(name);
  if (text === 'null' && unset === null) return null;
  // Presets store values as given, and numbers are easier to read than texts.
  const isNumber = (type === countType || type === flagType) && /^\d{1,15}$/.test(text);
  return isNumber ? Number(text) : (type.fromText?.(text) ?? text);
}

export function presetSelector(text: string): { readonly id: number } | { readonly name: string } {
  return isIdText(text) ? { id: Number(text) } : { name: text };
}
