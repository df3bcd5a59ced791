/** Decides which requests of the gateway stand in the audit log, and what of them (docs/audit.md#what-is-written). */
import type { Settings } from '../../config/setting-definitions.js';
import type { FinishedReport } from '../../http/interface/api.js';
import type { AuditEntry } from '../audit/audit-log.js';

/** Makes the listener that hears of every answer. Requests that were refused count like all others. */
export function gatewayAudit(
  settings: () => Settings,
  write: (entry: AuditEntry) => void,
): (report: FinishedReport) => void {
  return function audit(finished) {
    const values = settings();
    if (!values.gateway_audit_enabled || !isAudited(finished.method, values)) return;
    const { caller, ...report } = finished;
    write({ ...report, context: contextOf(caller) ?? values.gateway_context });
  };
}

function isAudited(method: string, values: Settings): boolean {
  switch (method) {
    case 'POST':
    case 'PUT':
    case 'PATCH':
    case 'DELETE':
      return true;
    case 'GET':
      return values.gateway_audit_log_get;
    default:
      return false;
  }
}

/** The context that was asked for; whether the caller may use it is another matter. */
function contextOf(caller: FinishedReport['caller']): string | undefined {
  const [asked] = [caller.header('x-context'), ...caller.queryValues('context')].filter((text) => text?.trim());
  return asked?.trim();
}
