/** Removes clicks and impressions past their retention; the sums of their days stay. */

import { Op } from 'sequelize';
import type { Settings } from '../../config/setting-definitions.js';
import { fromNow } from '../../store/models/columns.js';
import type { Store } from '../../store/open/open.js';
import { dayMs } from '../../values/dates.js';
import { clicks, type EventKind, impressions } from '../models/events.js';

export type RetentionSettings = Pick<Settings, 'banners_clicks_retention_days' | 'banners_impressions_retention_days'>;

const together = 1000;

export async function pruneEvents(
  { own }: Pick<Store, 'own'>,
  { settings, signal }: { readonly settings: RetentionSettings; readonly signal: AbortSignal },
) {
  const remove = async (kind: EventKind, days: number): Promise<number> => {
    let all = 0;
    let removed = days === 0 ? 0 : together;
    for (; removed === together && !signal.aborted; all += removed) {
      removed = await own.write((tx) => {
        const old = { where: { at: { [Op.lt]: fromNow(tx, -days * dayMs) } }, limit: together };
        return kind === 'clicks' ? clicks.on(tx).destroy(old) : impressions.on(tx).destroy(old);
      });
    }
    return all;
  };
  return {
    clicks: await remove('clicks', settings.banners_clicks_retention_days),
    impressions: await remove('impressions', settings.banners_impressions_retention_days),
  };
}
