/** Removes clicks and impressions that are kept no longer, by the settings; sums and conversions of their days stay. */

import type { Settings } from '../../config/setting-definitions.js';
import type { Store } from '../../store/open/open.js';
import { dayMs } from '../../values/dates.js';
import type { EventKind } from '../rows/ad-events.js';
import { removeOldEvents } from '../rows/ad-retention.js';

export type RetentionSettings = Pick<Settings, 'banners_clicks_retention_days' | 'banners_impressions_retention_days'>;

export interface Pruned {
  readonly clicks: number;
  readonly impressions: number;
}

/** Rows that one transaction removes, so that nobody waits long for it. */
const together = 1000;

/** Removes what is due, batch by batch, until the signal aborts. */
export async function pruneEvents(
  { own }: Pick<Store, 'own'>,
  { settings, signal }: { readonly settings: RetentionSettings; readonly signal: AbortSignal },
): Promise<Pruned> {
  const remove = async (kind: EventKind, days: number): Promise<number> => {
    let all = 0;
    let removed = days === 0 ? 0 : together;
    for (; removed === together && !signal.aborted; all += removed) {
      removed = await own.write((tx) => removeOldEvents(tx, { kind, olderThan: days * dayMs, most: together }));
    }
    return all;
  };
  return {
    clicks: await remove('clicks', settings.banners_clicks_retention_days),
    impressions: await remove('impressions', settings.banners_impressions_retention_days),
  };
}
