/** Removes old rows of the audit log, in batches that other writers need not wait for. */

import type { Store } from '../../store/open/open.js';
import { dayMs } from '../../values/dates.js';
import { countOldAuditRows, removeOldAuditRows } from '../rows/audit.js';

/** Rows of one transaction. */
const together = 1000;

export interface AuditPruning {
  /** Age in days from which rows go. */
  readonly days: number;
  /** Rows that go at most, for a worker with other things to do; absent = all that are old. */
  readonly most?: number;
  /** Ends it between two batches. */
  readonly signal?: AbortSignal;
}

/** Gives how many rows were removed. Removing again is harmless, so interrupted work may be repeated. */
export async function pruneAudit({ own }: Pick<Store, 'own'>, pruning: AuditPruning): Promise<number> {
  const { days, most = Number.POSITIVE_INFINITY, signal } = pruning;
  let removed = 0;
  while (removed < most && signal?.aborted !== true) {
    const batch = Math.min(together, most - removed);
    const gone = await own.write((tx) => removeOldAuditRows(tx, { olderThan: days * dayMs, most: batch }), {
      outcome: async () => undefined,
    });
    removed += gone;
    if (gone < batch) break;
  }
  return removed;
}

/** How many rows pruneAudit would remove now. */
export function countPrunable({ own }: Pick<Store, 'own'>, { days }: Pick<AuditPruning, 'days'>): Promise<number> {
  return countOldAuditRows(own.primary, days * dayMs);
}
