/** What the commands for banners share; positions and presets use its parameters too. */
import type { AuditRecord } from '../../src/banners/management/audit.js';
import { switchBanner } from '../../src/banners/management/update-banner.js';
import type { BannerRecord } from '../../src/banners/rules/banner-fields.js';
import { integerValue, textValue } from '../../src/config/value-type.js';
import type { Deps } from '../deps.js';
import { required } from '../parameters.js';
import type { DoneResult, JsonRecord, JsonValue } from '../result.js';

const largestId = 4_294_967_295;

export const idValue = integerValue({ min: 1, max: largestId });

export const bannerParameter = required(idValue, {
  placeholder: 'ID',
  description: 'Id of the banner (see hcd banner list)',
});

/** A position by id or name, as the service finds it. */
export const positionValue = textValue({ accepts: 'the id or the name of a position' });

export const positionParameter = required(positionValue, {
  placeholder: 'POSITION',
  description: 'Id or name of the position (see hcd position list)',
});

/** Who changes banners, positions and presets here, as hcd banner audit shows it. */
export const username = 'cli';

export function bannerJson<T extends BannerRecord>(banner: T): JsonRecord {
  return decodeJson({ ...banner });
}

export function auditJson(entry: AuditRecord): JsonRecord {
  return decodeJson({ ...entry });
}

/** Objects of the services are plain data all the way down. */
export function decodeJson(value: object): JsonRecord {
  return value as { readonly [name: string]: JsonValue };
}

/** What people want to see of a banner that they have just written; JSON has every field. */
export const shownFields = ['id', 'name', 'type', 'active', 'start', 'end', 'url', 'image', 'positions', 'tags'];

export async function switchTo(
  id: number,
  { deps, active }: { readonly deps: Deps; readonly active: boolean },
): Promise<DoneResult> {
  const { banner, wasSo } = await switchBanner(await deps.openReady(), { id, active, username });
  const state = active ? 'on' : 'off';
  const message = wasSo
    ? `Banner ${id} "${banner.name}" is already ${state}; nothing to do.`
    : `Turned ${state} banner ${id} "${banner.name}".`;
  return { kind: 'done', message, data: bannerJson(banner) };
}
