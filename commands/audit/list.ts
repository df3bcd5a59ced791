/** `hcd audit list`: who asked the gateway for which change, and how it ended. */
import { timeValue } from '../../src/config/time-values.js';
import { choiceValue, integerValue } from '../../src/config/value-type.js';
import { readRuntimeSettings } from '../../src/content/settings/runtime-settings.js';
import { listAudit } from '../../src/gateway/audit/list-audit.js';
import { defineCommand } from '../command.js';
import { optional } from '../parameters.js';
import { openReady } from '../store/open-ready.js';
import { auditRecord } from './audit-record.js';
import { identityValue, requestIdValue, statusValue } from './parameters.js';

const columns = ['created_on', 'identity', 'method', 'path', 'status', 'duration_ms', 'context', 'request_id'];

const defaultLimit = 50;

export const command = defineCommand({
  path: 'audit list',
  summary: 'List the audit log',
  description:
    'Lists requests to the gateway from its audit log, the newest first: when each ended, who asked, method and path, status, time taken and request id. The log is written while gateway_audit_enabled is on; it never holds bodies, query strings or credentials.',
  arguments: {},
  options: {
    since: optional(timeValue, { placeholder: 'TIME', description: 'Only requests that ended at this time or later' }),
    identity: optional(identityValue, {
      placeholder: 'IDENTITY',
      description: 'Only requests of this caller, as the list names it, or of one kind of caller',
      suggestions: ['anonymous', 'api_key', 'access_token', 'session'],
    }),
    method: optional(choiceValue(['POST', 'PUT', 'PATCH', 'DELETE', 'GET']), {
      placeholder: 'METHOD',
      description: 'Only requests with this method',
    }),
    status: optional(statusValue, {
      placeholder: 'STATUS',
      description: 'Only answers with this status, or of a class such as 4xx',
    }),
    requestId: optional(requestIdValue, {
      placeholder: 'ID',
      description: 'Only the request whose answer had this X-Request-ID',
    }),
    limit: optional(integerValue({ min: 1, max: 10_000 }), {
      placeholder: 'N',
      description: 'Rows at most; 50 by default',
    }),
  },
  examples: [
    { line: 'audit list --status 4xx --since 2026-11-21', does: 'Show what was refused since a day' },
    { line: 'audit list --identity api_key:1a2b3c4d5e6f7a8b --json', does: 'Read what one key did, for a script' },
  ],
  async run(options, deps) {
    const store = await openReady(deps);
    const { since, identity = null, method = null, status = null, requestId = null, limit = defaultLimit } = options;
    const filter = { since: since === undefined ? null : since * 1000, identity, method, status, requestId };
    const { rows, total } = await listAudit(store, { filter, limit });
    const { values } = await readRuntimeSettings(store, deps.env);
    const notes = values.gateway_audit_enabled
      ? []
      : ['The audit log is not written: hcd setting set gateway_audit_enabled 1'];
    return { kind: 'list', columns, rows: rows.map(auditRecord), total, empty: 'No request fits.', notes };
  },
});
