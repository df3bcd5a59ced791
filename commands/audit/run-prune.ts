/** Removes old rows for `hcd audit prune`. */

import { readRuntimeSettings } from '../../src/content/settings/runtime-settings.js';
import { countPrunable, pruneAudit } from '../../src/gateway/audit/prune-audit.js';
import { confirmChange } from '../confirm.js';
import type { Deps } from '../deps.js';
import type { DoneResult } from '../result.js';
import { openReady } from '../store/open-ready.js';

export async function runPrune(
  { days: given }: { readonly days: number | undefined },
  deps: Deps,
): Promise<DoneResult> {
  const store = await openReady(deps);
  const days = given ?? (await readRuntimeSettings(store, deps.env)).values.gateway_audit_retention_days;
  if (deps.prompt.isInteractive) {
    const count = await countPrunable(store, { days });
    if (count > 0) await confirmChange(deps, `Remove ${rowsText(count)} older than ${daysText(days)}?`);
  }
  const removed = await pruneAudit(store, { days, signal: deps.stop });
  const message = `Removed rows of the audit log older than ${daysText(days)}: ${removed}.`;
  return { kind: 'done', message, data: { removed, days } };
}

function rowsText(count: number): string {
  return count === 1 ? '1 row of the audit log' : `${count} rows of the audit log`;
}

function daysText(days: number): string {
  return days === 1 ? '1 day' : `${days} days`;
}
