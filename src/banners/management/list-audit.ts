/** The audit log of banners, positions, presets and conversions (docs/banners.md#positions-templates-audit-log). */

import { isoTimeOfMs } from '../../values/dates.js';
import { parseJson } from '../../values/json.js';
import { type AdAuditFilter, type AdAuditPage, countAdAudit, readAdAudit } from '../rows/ad-audit.js';
import type { BannerStore } from './banner-store.js';

export interface AuditRecord {
  readonly id: number;
  readonly entity: string;
  readonly entity_id: number | null;
  /** The name of what was written, at that time. */
  readonly label: string;
  readonly action: string;
  readonly created_at: string | null;
  readonly username: string;
  readonly payload: unknown;
}

/** Entries of one page, and how many fit in all. */
export async function listAudit(
  { own }: BannerStore,
  { filter, page }: { readonly filter: AdAuditFilter; readonly page: AdAuditPage },
): Promise<{ readonly entries: readonly AuditRecord[]; readonly total: number }> {
  const [rows, total] = await Promise.all([readAdAudit(own.primary, filter, page), countAdAudit(own.primary, filter)]);
  const entries = rows.map(({ id, entity, entityId, label, action, createdOn, username, payload }) => ({
    id,
    entity,
    entity_id: entityId,
    label,
    action,
    created_at: isoTimeOfMs(createdOn),
    username,
    // One damaged row must not stop a list.
    payload: parseJson(payload) ?? null,
  }));
  return { entries, total };
}
