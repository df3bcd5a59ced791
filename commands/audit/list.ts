/** `hcd audit list`: who asked the gateway for which change, and how it ended. */
import { timeValue } from '../../src/config/time-values.js';
import { choiceValue, integerValue, textValue, type ValueType } from '../../src/config/value-type.js';
import { readRuntimeSettings } from '../../src/content/settings/settings.js';
import { type AuditRow, listAudit } from '../../src/gateway/audit/manage-audit.js';
import { defineCommand } from '../command.js';
import { optional } from '../parameters.js';
import type { JsonRecord } from '../result.js';

const columns = ['created_on', 'identity', 'method', 'path', 'status', 'duration_ms', 'context', 'request_id'];

const defaultLimit = 50;

const identityAccepts =
  'anonymous, a kind (api_key, access_token, session), or a kind with an id such as api_key:1a2b3c4d5e6f7a8b';

/** One identity, or all of a kind. */
const identityValue = textValue({
  accepts: identityAccepts,
  pattern: /^(?:anonymous|(?:api_key|access_token|session)(?::\S{1,180})?)$/,
});

const requestIdValue = textValue({
  accepts: 'a request id: 8 to 64 letters, digits, dots, underscores or hyphens',
  pattern: /^[A-Za-z0-9._-]{8,64}$/,
});

type StatusRange = readonly [from: number, to: number];

const statusAccepts = 'a status from 100 to 599, or a class such as 4xx';

/** One status, or the hundred that a class stands for. */
const statusValue: ValueType<StatusRange> = {
  kind: 'text',
  accepts: statusAccepts,
  parse(text) {
    const [, first = '', rest = ''] = /^([1-5])(\d\d|xx)$/i.exec(text.trim()) ?? [];
    if (first === '')
      return { ok: false, problem: `must be ${statusAccepts}, not ${JSON.stringify(text.slice(0, 60))}` };
    const isClass = /^xx$/i.test(rest);
    const from = Number(first) * 100 + (isClass ? 0 : Number(rest));
    return { ok: true, value: [from, isClass ? from + 99 : from] };
  },
  format: ([from, to]) => (from === to ? String(from) : `${from / 100}xx`),
};

export const command = defineCommand({
  path: 'audit list',
  summary: 'List requests in the audit log',
  description:
    'Lists requests from the audit log of the gateway, newest first: when each request ended, the caller, method, path, status, duration and request id. The log is written while gateway_audit_enabled is on. It never contains bodies, query strings or credentials.',
  arguments: {},
  options: {
    since: optional(timeValue, {
      placeholder: 'TIME',
      description: 'Show only requests that ended at this time or later',
    }),
    identity: optional(identityValue, {
      placeholder: 'IDENTITY',
      description: 'Show only requests of this caller, or of this kind of caller',
      suggestions: ['anonymous', 'api_key', 'access_token', 'session'],
    }),
    method: optional(choiceValue(['POST', 'PUT', 'PATCH', 'DELETE', 'GET']), {
      placeholder: 'METHOD',
      description: 'Show only requests with this method',
    }),
    status: optional(statusValue, {
      placeholder: 'STATUS',
      description: 'Show only requests with this status',
    }),
    requestId: optional(requestIdValue, {
      placeholder: 'ID',
      description: 'Show only the request with this X-Request-ID',
    }),
    limit: optional(integerValue({ min: 1, max: 10_000 }), {
      placeholder: 'N',
      description: 'Maximum number of rows (default: 50)',
    }),
  },
  examples: [
    { line: 'audit list --status 4xx --since 2026-11-21', does: 'Show requests that were refused since a date' },
    { line: 'audit list --identity api_key:1a2b3c4d5e6f7a8b --json', does: 'Show the requests of one key, as JSON' },
  ],
  async run(options, deps) {
    const store = await deps.openReady();
    const { since, identity = null, method = null, status = null, requestId = null, limit = defaultLimit } = options;
    const filter = { since: since === undefined ? null : since * 1000, identity, method, status, requestId };
    const { rows, total } = await listAudit(store, { filter, limit });
    const { values } = await readRuntimeSettings(store, deps.env);
    const notes = values.gateway_audit_enabled
      ? []
      : ['The audit log is off. Turn it on: hcd setting set gateway_audit_enabled 1'];
    return { kind: 'list', columns, rows: rows.map(auditRecord), total, empty: 'No matching requests.', notes };
  },
});

function auditRecord(row: AuditRow): JsonRecord {
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
