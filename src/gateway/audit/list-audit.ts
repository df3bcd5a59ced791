/** The audit log for whoever runs the site. */
import type { Store } from '../../store/open/open.js';
import { type AuditFilter, type AuditRow, countAuditRows, readAuditRows } from '../rows/audit.js';

export type { AuditFilter, AuditRow } from '../rows/audit.js';

export interface AuditPage {
  /** Newest first. */
  readonly rows: readonly AuditRow[];
  /** Rows that fit the filter, shown or not. */
  readonly total: number;
}

export async function listAudit(
  { own }: Store,
  { filter, limit }: { readonly filter: AuditFilter; readonly limit: number },
): Promise<AuditPage> {
  const rows = await readAuditRows(own.primary, filter, limit);
  return { rows, total: rows.length < limit ? rows.length : await countAuditRows(own.primary, filter) };
}
