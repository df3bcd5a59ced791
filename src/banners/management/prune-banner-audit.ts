/** Removes old entries of the audit log of banners, in batches that other writers need not wait for. */
import { dayMs } from '../../values/dates.js';
import { removeOldAdAudit } from '../rows/ad-audit.js';
import type { BannerStore } from './banner-store.js';

export interface BannerAuditPruning {
  /** Age in days from which entries go; 0 = none goes. */
  readonly days: number;
  /** Ends it between two batches. */
  readonly signal: AbortSignal;
}

/** Entries of one transaction. */
const together = 1000;

/**
 * Gives how many entries were removed. Entries of the removal of banners and positions stay: statistics have the names of
 * what is gone from them. Removing again is harmless, so interrupted work may be repeated.
 */
export async function pruneBannerAudit({ own }: BannerStore, { days, signal }: BannerAuditPruning): Promise<number> {
  let all = 0;
  let removed = days === 0 ? 0 : together;
  for (; removed === together && !signal.aborted; all += removed) {
    removed = await own.write((tx) => removeOldAdAudit(tx, { olderThan: days * dayMs, most: together }), {
      outcome: async () => undefined,
    });
  }
  return all;
}
