/** Orders in rows of `hcd_ad_clicks`. */
import type { Reader, Tx } from '../../store/base/database.js';

/** A click and what its conversion counts for. */
export interface AttributedClick {
  readonly id: number;
  readonly day: number;
  readonly ad: number;
  readonly position: number;
  readonly orderId: string | null;
}

/** Null when there is no such click. */
export async function findClick(reader: Reader, id: number): Promise<AttributedClick | null> {
  return readClick(reader, { id, lock: '' });
}

/** The same, held until the transaction ends. */
export async function lockClick(tx: Tx, id: number): Promise<AttributedClick | null> {
  return readClick(tx, { id, lock: tx.dialect === 'mariadb' ? ' FOR UPDATE' : '' });
}

export async function setOrder(tx: Tx, id: number, orderId: string): Promise<void> {
  await tx.run({ sql: 'UPDATE `hcd_ad_clicks` SET `order_id` = ? WHERE `id` = ?', params: [orderId, id] });
}

interface ClickQuestion {
  readonly id: number;
  /** End of the statement. */
  readonly lock: string;
}

async function readClick(reader: Reader, { id, lock }: ClickQuestion): Promise<AttributedClick | null> {
  const rows = await reader.select({
    sql: `SELECT \`day\`, \`ad\`, \`position\`, \`order_id\` FROM \`hcd_ad_clicks\` WHERE \`id\` = ?${lock}`,
    params: [id],
  });
  const [day, ad, position, orderId] = rows[0] ?? [];
  if (day === undefined) return null;
  return {
    id,
    day: Number(day),
    ad: Number(ad),
    position: Number(position),
    orderId: orderId === null || orderId === undefined ? null : String(orderId),
  };
}
