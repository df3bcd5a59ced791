/** `hcd audit`: the audit log of the gateway. */
import { choiceValue, integerValue, textValue, timeValue } from '../src/config/value-type.js';
import { type AuditRow, countPrunable, listAudit, pruneAudit } from '../src/gateway/audit/manage-audit.js';
import { countOf } from '../src/values/text.js';
import { defineSiteCommand, recordOf } from './command.js';
import { defaultRows, optional, readableValue, rowParameters } from './parameters.js';

const identityValue = textValue({
  accepts:
    'anonymous, studio, a kind (api_key, access_token, session), or a kind with an id such as api_key:1a2b3c4d5e6f7a8b',
  pattern: /^(?:anonymous|studio|(?:api_key|access_token|session)(?::\S{1,180})?)$/,
});

const requestIdValue = textValue({
  accepts: 'a request id: 8 to 64 letters, digits, dots, underscores or hyphens',
  pattern: /^[A-Za-z0-9._-]{8,64}$/,
});

const statusValue = readableValue<readonly [from: number, to: number]>(
  { accepts: 'a status from 100 to 599, or a class such as 4xx' },
  (text) => {
    const [, first = '', rest = ''] = /^([1-5])(\d\d|xx)$/i.exec(text.trim()) ?? [];
    if (first === '') return undefined;
    const isClass = /^xx$/i.test(rest);
    const from = Number(first) * 100 + (isClass ? 0 : Number(rest));
    return [from, isClass ? from + 99 : from];
  },
);

export const commands = {
  list: defineSiteCommand({
    description:
      'Lists requests from the audit log of the gateway, newest first: when each request ended, the caller, method, path, status, duration and request id. The log is written while gateway_audit_enabled is on. It never contains bodies, query strings or credentials.',
    options: {
      since: optional(timeValue, 'Show only requests that ended at this time or later'),
      identity: optional(identityValue, 'Show only requests of this caller, or of this kind of caller', {
        suggestions: ['anonymous', 'studio', 'api_key', 'access_token', 'session'],
      }),
      method: optional(
        choiceValue(['POST', 'PUT', 'PATCH', 'DELETE', 'GET', 'RUN']),
        'Show only requests with this method',
      ),
      status: optional(statusValue, 'Show only requests with this status'),
      requestId: optional(requestIdValue, 'Show only the request with this X-Request-ID', { placeholder: 'ID' }),
      ...rowParameters,
      limit: optional(integerValue({ min: 1, max: 10_000 }), 'Maximum number of rows (default: 50)'),
    },
    examples: {
      'audit list --status 4xx --since 2026-11-21': 'Show requests that were refused since a date',
      'audit list --identity api_key:1a2b3c4d5e6f7a8b --json': 'Show the requests of one key, as JSON',
    },
    async run(options, deps) {
      const { since, identity = null, method = null, status = null, requestId = null } = options;
      const { limit = defaultRows, offset = 0 } = options;
      const filter = { since: since === undefined ? null : since * 1000, identity, method, status, requestId };
      const { rows, total } = await listAudit(deps.store, { filter, limit, offset });
      const { gateway_audit_enabled: isOn } = await deps.settings('gateway');
      return {
        kind: 'list',
        columns: ['created_on', 'identity', 'method', 'path', 'status', 'duration_ms', 'context', 'request_id'],
        rows: rows.map(auditRecord),
        total,
        empty: 'No matching requests.',
        notes: [!isOn && 'The audit log is off. Turn it on: hcd setting set gateway_audit_enabled 1'],
      };
    },
  }),

  prune: defineSiteCommand({
    description:
      'Removes rows of the audit log that are older than --days, and prints how many. The worker does the same with gateway_audit_retention_days.',
    options: {
      days: optional(
        integerValue({ min: 1, max: 36_500 }),
        'Age of the rows in days (default: gateway_audit_retention_days)',
      ),
    },
    examples: {
      'audit prune': 'Remove rows that are older than the setting allows',
      'audit prune --days 30 --yes': 'Keep the last 30 days, without confirmation',
    },
    destructive: {},
    async run({ days: given }, deps) {
      const days = given ?? (await deps.settings('gateway')).gateway_audit_retention_days;
      const rowsText = (count: number) =>
        `${countOf(count, 'row')} of the audit log older than ${countOf(days, 'day')}`;
      await deps.confirm(async () => {
        const count = await countPrunable(deps.store, { days });
        return count === 0 ? null : `Remove ${rowsText(count)}?`;
      });
      const removed = await pruneAudit(deps.store, { days, signal: deps.stop });
      const message = `Removed ${rowsText(removed)}.`;
      return { kind: 'done', message, data: { removed, days } };
    },
  }),
};

function auditRecord(row: AuditRow) {
  return {
    ...recordOf(row, ['id', 'requestId', 'identity', 'method', 'path', 'context', 'status', 'durationMs']),
    ...recordOf(row, ['createdOn']),
  };
}
