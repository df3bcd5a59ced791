/** Rows of `hcd_ad_positions`, the places at which banners are shown. */

import { containsPattern } from '../../store/base/contains-pattern.js';
import type { Param, RawRow, Reader, Tx } from '../../store/base/database.js';
import { dialectOf } from '../../store/base/dialect.js';
import { nowMilliseconds } from '../../store/state/ledger.js';

export interface AdPositionRow {
  readonly id: number;
  readonly name: string;
  readonly context_key: string;
}

export interface AdPositionPage {
  /** Part of the name, without case; null = all. */
  readonly query: string | null;
  readonly sort: 'id' | 'name';
  readonly descending: boolean;
  readonly limit: number;
  readonly offset: number;
}

const columns = '`id`, `name`, `context_key`';

export async function readAdPosition(reader: Reader, id: number): Promise<AdPositionRow | null> {
  const rows = await reader.select({
    sql: `SELECT ${columns} FROM \`hcd_ad_positions\` WHERE \`id\` = ?`,
    params: [id],
  });
  return rows[0] === undefined ? null : decode(rows[0]);
}

/** Positions with exactly this name, the oldest first: names may come more than once. */
export async function readAdPositionsByName(reader: Reader, name: string): Promise<AdPositionRow[]> {
  const rows = await reader.select({
    sql: `SELECT ${columns} FROM \`hcd_ad_positions\` WHERE \`name\` = ? ORDER BY \`id\``,
    params: [name],
  });
  return rows.map(decode);
}

export async function readAdPositions(reader: Reader, page: AdPositionPage): Promise<AdPositionRow[]> {
  const { where, params } = conditionOf(reader, page.query);
  const direction = page.descending ? 'DESC' : 'ASC';
  const order = page.sort === 'id' ? `\`id\` ${direction}` : `\`name\` ${direction}, \`id\` ASC`;
  const rows = await reader.select({
    sql: `SELECT ${columns} FROM \`hcd_ad_positions\`${where} ORDER BY ${order} LIMIT ? OFFSET ?`,
    params: [...params, page.limit, page.offset],
  });
  return rows.map(decode);
}

export async function countAdPositions(reader: Reader, query: string | null): Promise<number> {
  const { where, params } = conditionOf(reader, query);
  const rows = await reader.select({ sql: `SELECT COUNT(*) FROM \`hcd_ad_positions\`${where}`, params });
  return Number(rows[0]?.[0] ?? 0);
}

/** The positions among the ids that exist, in order of id; until the transaction ends their links are ours alone. */
export async function lockAdPositions(tx: Tx, ids: readonly number[]): Promise<AdPositionRow[]> {
  return selectByIds(tx, ids, tx.dialect === 'mariadb' ? ' FOR UPDATE' : '');
}

/** The positions among the ids that exist, in order of id. */
export async function readAdPositionsById(reader: Reader, ids: readonly number[]): Promise<AdPositionRow[]> {
  return selectByIds(reader, ids, '');
}

/** Adds a position and gives its id. */
export async function insertAdPosition(tx: Tx, position: Omit<AdPositionRow, 'id'>): Promise<number> {
  const now = nowMilliseconds(tx.dialect);
  const sql = `INSERT INTO \`hcd_ad_positions\` (\`name\`, \`context_key\`, \`created_on\`, \`edited_on\`) VALUES (?, ?, ${now}, ${now})`;
  return (await tx.run({ sql, params: [position.name, position.context_key] })).lastId;
}

export async function updateAdPosition(tx: Tx, position: AdPositionRow): Promise<void> {
  await tx.run({
    sql: `UPDATE \`hcd_ad_positions\` SET \`name\` = ?, \`context_key\` = ?, \`edited_on\` = ${nowMilliseconds(tx.dialect)} WHERE \`id\` = ?`,
    params: [position.name, position.context_key, position.id],
  });
}

export async function deleteAdPosition(tx: Tx, id: number): Promise<void> {
  await tx.run({ sql: 'DELETE FROM `hcd_ad_positions` WHERE `id` = ?', params: [id] });
}

async function selectByIds(reader: Reader, ids: readonly number[], locking: string): Promise<AdPositionRow[]> {
  if (ids.length === 0) return [];
  const rows = await reader.select({
    // In order of id: two transactions that lock several cannot wait for each other crosswise.
    sql: `SELECT ${columns} FROM \`hcd_ad_positions\` WHERE \`id\` IN (${ids.map(() => '?').join(', ')}) ORDER BY \`id\`${locking}`,
    params: [...ids],
  });
  return rows.map(decode);
}

function conditionOf(
  reader: Reader,
  query: string | null,
): { readonly where: string; readonly params: readonly Param[] } {
  if (query === null) return { where: '', params: [] };
  const { foldedText, foldedMark } = dialectOf(reader.dialect);
  return { where: ` WHERE ${foldedText('`name`')} LIKE ${foldedMark} ESCAPE '!'`, params: [containsPattern(query)] };
}

function decode([id, name, context]: RawRow): AdPositionRow {
  return { id: Number(id), name: String(name), context_key: String(context) };
}
