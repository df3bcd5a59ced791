/** The click log of one banner (docs/banners.md#banners), by time: imported clicks may be older than recorded ones. */
import { isoTimeOfMs } from '../../values/dates.js';
import { ads } from '../models/ads.js';
import { clicks } from '../models/events.js';
import { type Page, readPage } from '../models/page.js';
import { positions } from '../models/positions.js';
import { type BannerStore, noBanner } from './banner-store.js';

/** `position_name` is null for a removed position. Throws not_found. */
export async function listClicks({ own }: BannerStore, { ad, ...page }: Page & { readonly ad: number }) {
  const reader = own.primary;
  if ((await ads.on(reader).lookUp({ id: ad })) === null) throw noBanner(ad);
  const conditions = [['`ad` = ?', [ad]] as const];
  const { rows, total } = await readPage(reader, clicks, { ...page, conditions, sort: 'at', isWhole: true });
  const ids = [...new Set(rows.map(({ position }) => position))];
  const named = await positions.on(reader).lookUpAll({ id: ids }, { attributes: ['id', 'name'] });
  const names = new Map(named.map(({ id, name }) => [id, name]));
  return {
    rows: rows.map((row) => ({
      id: row.id,
      position: row.position,
      position_name: names.get(row.position) ?? null,
      clicked_at: isoTimeOfMs(row.at),
      referrer: row.referrer,
      ip: row.ip,
      order_id: row.orderId,
    })),
    total,
  };
}
