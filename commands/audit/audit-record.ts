/** Rows of the audit log as records: the names of the table's columns, times as ISO 8601. */
import { timeValue } from '../../src/config/time-values.js';
import type { AuditRow } from '../../src/gateway/audit/list-audit.js';
import type { JsonRecord } from '../result.js';

export function auditRecord(row: AuditRow): JsonRecord {
  return {
    id: row.id,
    request_id: row.requestId,
    identity: row.identity,
    method: row.method,
    path: row.path,
    context: row.context,
    status: row.status,
    duration_ms: row.durationMs,
    created_on: timeValue.format(Math.floor(row.createdOn / 1000)),
  };
}
