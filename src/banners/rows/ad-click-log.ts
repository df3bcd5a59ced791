/** The clicks of one banner as rows of `hcd_ad_clicks` with the names of their positions. */
import type { Reader } from '../../store/base/database.js';

export interface ClickLogRow {
  readonly id: number;
  readonly position: number;
  /** null when the position has been removed. */
  readonly positionName: string | null;
  /** Unix milliseconds. */
  readonly clickedOn: number;
  readonly referrer: string;
  readonly ip: string;
  readonly orderId: string | null;
}

/** By their time: what is imported may be older than what was recorded before. */
export async function readClickLog(
  reader: Reader,
  page: { readonly ad: number; readonly descending: boolean; readonly limit: number; readonly offset: number },
): Promise<ClickLogRow[]> {
  const order = page.descending ? 'DESC' : 'ASC';
  const rows = await reader.select({
    sql: `SELECT \`c\`.\`id\`, \`c\`.\`position\`, \`p\`.\`name\`, \`c\`.\`clicked_on\`, \`c\`.\`referrer\`, \`c\`.\`ip\`, \`c\`.\`order_id\`
      FROM \`hcd_ad_clicks\` AS \`c\` LEFT JOIN \`hcd_ad_positions\` AS \`p\` ON \`p\`.\`id\` = \`c\`.\`position\`
      WHERE \`c\`.\`ad\` = ? ORDER BY \`c\`.\`clicked_on\` ${order}, \`c\`.\`id\` ${order} LIMIT ? OFFSET ?`,
    params: [page.ad, page.limit, page.offset],
    heavy: { over: 'hcd_ad_clicks' },
  });
  return rows.map(([id, position, name, clickedOn, referrer, ip, orderId]) => ({
    id: Number(id),
    position: Number(position),
    positionName: name === null || name === undefined ? null : String(name),
    clickedOn: Number(clickedOn),
    referrer: String(referrer),
    ip: String(ip),
    orderId: orderId === null || orderId === undefined ? null : String(orderId),
  }));
}

export async function countClickLog(reader: Reader, ad: number): Promise<number> {
  const rows = await reader.select({
    sql: 'SELECT COUNT(*) FROM `hcd_ad_clicks` WHERE `ad` = ?',
    params: [ad],
    heavy: { over: 'hcd_ad_clicks' },
  });
  return Number(rows[0]?.[0] ?? 0);
}
