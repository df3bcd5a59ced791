/** `hcd audit prune`: removes old rows of the audit log. */
import { integerValue } from '../../src/config/value-type.js';
import { readRuntimeSettings } from '../../src/content/settings/settings.js';
import { countPrunable, pruneAudit } from '../../src/gateway/audit/manage-audit.js';
import { defineCommand } from '../command.js';
import { confirmChange } from '../confirm.js';
import { optional } from '../parameters.js';

export const command = defineCommand({
  path: 'audit prune',
  summary: 'Remove old rows from the audit log',
  description:
    'Removes rows of the audit log that are older than --days, and prints how many. The worker does the same with gateway_audit_retention_days.',
  arguments: {},
  options: {
    days: optional(integerValue({ min: 1, max: 36_500 }), {
      placeholder: 'N',
      description: 'Age of the rows in days (default: gateway_audit_retention_days)',
    }),
  },
  examples: [
    { line: 'audit prune', does: 'Remove rows that are older than the setting allows' },
    { line: 'audit prune --days 30 --yes', does: 'Keep the last 30 days, without confirmation' },
  ],
  destructive: {},
  async run({ days: given }, deps) {
    const store = await deps.openReady();
    const days = given ?? (await readRuntimeSettings(store, deps.env)).values.gateway_audit_retention_days;
    if (deps.prompt.isInteractive) {
      const count = await countPrunable(store, { days });
      if (count > 0) await confirmChange(deps, `Remove ${rowsText(count)} older than ${daysText(days)}?`);
    }
    const removed = await pruneAudit(store, { days, signal: deps.stop });
    const message = `Removed ${rowsText(removed)} older than ${daysText(days)}.`;
    return { kind: 'done', message, data: { removed, days } };
  },
});

function rowsText(count: number): string {
  return count === 1 ? '1 row of the audit log' : `${count} rows of the audit log`;
}

function daysText(days: number): string {
  return days === 1 ? '1 day' : `${days} days`;
}
