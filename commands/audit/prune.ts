/** `hcd audit prune`: remove old rows from the audit log. */
import { integerValue } from '../../src/config/value-type.js';
import { countPrunable, pruneAudit } from '../../src/gateway/audit/manage-audit.js';
import { defineSiteCommand } from '../command.js';
import { optional } from '../parameters.js';
import { countOf } from '../terminal-text.js';

export const command = defineSiteCommand({
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
    const rowsText = (count: number) => `${countOf(count, 'row')} of the audit log older than ${countOf(days, 'day')}`;
    await deps.confirm(async () => {
      const count = await countPrunable(deps.store, { days });
      return count === 0 ? null : `Remove ${rowsText(count)}?`;
    });
    const removed = await pruneAudit(deps.store, { days, signal: deps.stop });
    const message = `Removed ${rowsText(removed)}.`;
    return { kind: 'done', message, data: { removed, days } };
  },
});
