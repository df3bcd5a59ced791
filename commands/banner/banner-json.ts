/** Banners and audit entries as JSON records of commands. */

import type { AuditRecord } from '../../src/banners/management/audit.js';
import type { BannerRecord } from '../../src/banners/rules/banner-fields.js';
import type { JsonRecord, JsonValue } from '../result.js';

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
