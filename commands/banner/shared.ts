/** What the commands for banners share. */
import { switchBanner } from '../../src/banners/management/update-banner.js';
import { textValue } from '../../src/config/value-type.js';
import type { Store } from '../../src/store/open/open.js';
import type { DoneResult, JsonRecord, JsonValue } from '../command.js';
import { idValue, required } from '../parameters.js';

export const bannerParameter = required(idValue, {
  placeholder: 'ID',
  description: 'Id of the banner (see hcd banner list)',
});

export const positionValue = textValue({ accepts: 'the id or the name of a position' });

export const positionParameter = required(positionValue, {
  placeholder: 'POSITION',
  description: 'Id or name of the position (see hcd position list)',
});

export const username = 'cli';

export function decodeJson(value: object): JsonRecord {
  return value as { readonly [name: string]: JsonValue };
}

export const shownFields = ['id', 'name', 'type', 'active', 'start', 'end', 'url', 'image', 'positions', 'tags'];

export async function switchTo(
  id: number,
  { store, active }: { readonly store: Store; readonly active: boolean },
): Promise<DoneResult> {
  const { banner, wasSo } = await switchBanner(store, { id, active, username });
  const state = active ? 'on' : 'off';
  const message = wasSo
    ? `Banner ${id} "${banner.name}" is already ${state}; nothing to do.`
    : `Turned ${state} banner ${id} "${banner.name}".`;
  return { kind: 'done', message, data: decodeJson(banner) };
}
