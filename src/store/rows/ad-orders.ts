/** Orders in rows of `hcd_ad_clicks`. */
import type { Reader, Tx } from '../database.js';

/** A click and what its conversion counts for. */
export interface AttributedClick {
  readonly id: number;
  readonly day: number;
  readonly ad: number;
  readonly position: number;
}

/** Null when there is no such click. */
export async function findClick(reader: Reader, id: number): Promise<AttributedClick | null> {
  const rows = await reader.select({
    sql: 'SELECT `day`, `ad`, `position` FROM `hcd_ad_clicks` WHERE `id` = ?',
    params: [id],
  });
  const [day, ad, position] = rows[0] ?? [];
  return day === undefined ? null : { id, day: Number(day), ad: Number(ad), position: Number(position) };
}

/** False when the click has an order already, or is gone. */
export async function setFirstOrder(tx: Tx, id: number, orderId: string): Promise<boolean> {
  const { changes } = await tx.run({
    sql: 'UPDATE `hcd_ad_clicks` SET `order_id` = ? WHERE `id` = ? AND `order_id` IS NULL',
    params: [orderId, id],
  });
  return changes > 0;
}

export async function setOrder(tx: Tx, id: number, orderId: string): Promise<void> {
  await tx.run({ sql: 'UPDATE `hcd_ad_clicks` SET `order_id` = ? WHERE `id` = ?', params: [orderId, id] });
}
