/** The click log of one banner (docs/banners.md#banners). */
import { isoTimeOfMs } from '../../values/dates.js';
import { countClickLog, readClickLog } from '../rows/ad-click-log.js';
import { readAd } from '../rows/ads.js';
import type { BannerStore } from './banner-store.js';
import { noBanner } from './create-banner.js';

export interface ClickRecord {
  readonly id: number;
  /** Id of the position. */
  readonly position: number;
  /** null when the position has been removed. */
  readonly position_name: string | null;
  readonly clicked_at: string | null;
  readonly referrer: string;
  readonly ip: string;
  /** The order that was attributed to the click. */
  readonly order_id: string | null;
}

/** Clicks of one page, and how many are kept in all. Throws not_found. */
export async function listClicks(
  { own }: BannerStore,
  asked: { readonly ad: number; readonly descending: boolean; readonly limit: number; readonly offset: number },
): Promise<{ readonly clicks: readonly ClickRecord[]; readonly total: number }> {
  if ((await readAd(own.primary, asked.ad)) === null) throw noBanner(asked.ad);
  const [rows, total] = await Promise.all([readClickLog(own.primary, asked), countClickLog(own.primary, asked.ad)]);
  const clicks = rows.map(({ id, position, positionName, clickedOn, referrer, ip, orderId }) => ({
    id,
    position,
    position_name: positionName,
    clicked_at: isoTimeOfMs(clickedOn),
    referrer,
    ip,
    order_id: orderId,
  }));
  return { clicks, total };
}
