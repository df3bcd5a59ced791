/** Rows of `hcd_ad_clicks` and `hcd_ad_impressions`: one per visitor, banner, position and local day. */
import type { Param, RawRow, Reader, Tx } from '../../store/base/database.js';
import { batchesOf, padded, partsOf } from '../../values/batches.js';
import { type EventKind, events } from '../models/events.js';
import { type EventKey, eventKeyText } from '../rules/visitor.js';

/** Texts must fit their columns: they are not cut here. */
export interface EventRow extends EventKey {
  /** Absent or null: the database assigns it. */
  readonly id?: number | null;
  readonly at: number;
  readonly ip: string;
  readonly referrer?: string;
  readonly orderId?: string | null;
}

const mostTogether = 64;

export async function findEvents(
  reader: Reader,
  kind: EventKind,
  keys: readonly EventKey[],
): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  for (const some of batchesOf(keys, mostTogether)) {
    const asked = padded(some);
    const terms = asked.map(() => '(`day` = ? AND `ad` = ? AND `position` = ? AND `visitor` = ?)');
    const sql = `SELECT \`id\`, \`day\`, \`ad\`, \`position\`, \`visitor\` FROM \`${events[kind].table}\` WHERE ${terms.join(' OR ')}`;
    const params = asked.flatMap(({ day, ad, position, visitor }) => [day, ad, position, visitor]);
    for (const row of await reader.select({ sql, params })) found.set(keyTextOf(row), Number(row[0]));
  }
  return found;
}

/** In the order of the keys, so that two writers cannot deadlock. Returns how many were added. */
export async function insertEvents(tx: Tx, kind: EventKind, rows: readonly EventRow[]): Promise<number> {
  const { table, columns, columnOf } = events[kind];
  const names = Object.keys(columns);
  const into = `INSERT INTO \`${table}\` (${names.map((name) => `\`${columnOf(name)}\``).join(', ')}) VALUES`;
  const place = `(${names.map(() => '?').join(', ')})`;
  // Not INSERT IGNORE, which would also accept values that do not fit.
  const conflict = tx.dialect === 'mariadb' ? 'ON DUPLICATE KEY UPDATE `id` = `id`' : 'ON CONFLICT DO NOTHING';
  let added = 0;
  for (const some of partsOf(rows, mostTogether)) {
    const cells = some.map((row): Readonly<Record<string, Param | undefined>> => ({ referrer: '', ...row }));
    const params = cells.flatMap((row) => names.map((name) => row[name] ?? null));
    added += (await tx.run({ sql: `${into} ${some.map(() => place).join(', ')} ${conflict}`, params })).changes;
  }
  return added;
}

function keyTextOf([, day, ad, position, visitor]: RawRow): string {
  return eventKeyText({ day: Number(day), ad: Number(ad), position: Number(position), visitor: String(visitor) });
}
