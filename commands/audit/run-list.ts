/** Reads the audit log for `hcd audit list`. */

import { readRuntimeSettings } from '../../src/content/settings/runtime-settings.js';
import { listAudit } from '../../src/gateway/audit/list-audit.js';
import type { Deps } from '../deps.js';
import type { ListResult } from '../result.js';
import { openReady } from '../store/open-ready.js';
import { auditRecord } from './audit-record.js';
import type { StatusRange } from './parameters.js';

const columns = ['created_on', 'identity', 'method', 'path', 'status', 'duration_ms', 'context', 'request_id'];
const defaultLimit = 50;

export interface ListOptions {
  /** Unix seconds. */
  readonly since: number | undefined;
  readonly identity: string | undefined;
  readonly method: string | undefined;
  readonly status: StatusRange | undefined;
  readonly requestId: string | undefined;
  readonly limit: number | undefined;
}

export async function runList(options: ListOptions, deps: Deps): Promise<ListResult> {
  const store = await openReady(deps);
  const { since, identity = null, method = null, status = null, requestId = null, limit = defaultLimit } = options;
  const filter = { since: since === undefined ? null : since * 1000, identity, method, status, requestId };
  const { rows, total } = await listAudit(store, { filter, limit });
  const { values } = await readRuntimeSettings(store, deps.env);
  const notes = values.gateway_audit_enabled
    ? []
    : ['The audit log is not written: hcd setting set gateway_audit_enabled 1'];
  return { kind: 'list', columns, rows: rows.map(auditRecord), total, empty: 'No request fits.', notes };
}
