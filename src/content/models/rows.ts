/** Extra objects have no models. Names are from models, or from definitions that fit the table. */
import type { Param, Reader, Tx } from '../../store/base/database.js';
import { dialectOf } from '../../store/base/dialect.js';

export type ColumnValues = Readonly<Record<string, Param>>;

export interface RowAddress {
  readonly table: string;
  readonly where: ColumnValues;
}

export async function insertRow(tx: Tx, table: string, values: ColumnValues): Promise<number> {
  const { quote } = dialectOf(tx.dialect);
  const names = Object.keys(values);
  const { lastId } = await tx.run({
    sql: `INSERT INTO ${quote(table)} (${names.map(quote).join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
    params: Object.values(values),
  });
  return lastId;
}

export async function updateRows(tx: Tx, { table, where }: RowAddress, values: ColumnValues): Promise<void> {
  const names = Object.keys(values);
  if (names.length === 0) return;
  const { quote } = dialectOf(tx.dialect);
  await tx.run({
    sql: `UPDATE ${quote(table)} SET ${names.map((name) => `${quote(name)} = ?`).join(', ')} WHERE ${conditionOf(tx, where)}`,
    params: [...Object.values(values), ...Object.values(where)],
  });
}

export async function deleteRows(tx: Tx, { table, where }: RowAddress): Promise<void> {
  const { quote } = dialectOf(tx.dialect);
  const sql = `DELETE FROM ${quote(table)} WHERE ${conditionOf(tx, where)}`;
  await tx.run({ sql, params: Object.values(where) });
}

/** `except` is the key of a row that does not count. */
export async function hasRow(
  reader: Reader,
  { table, where }: RowAddress,
  except: ColumnValues = {},
): Promise<boolean> {
  const { quote } = dialectOf(reader.dialect);
  const others = Object.keys(except).map((name) => ` AND ${quote(name)} <> ?`);
  const rows = await reader.select({
    sql: `SELECT 1 FROM ${quote(table)} WHERE ${conditionOf(reader, where)}${others.join('')} LIMIT 1`,
    params: [...Object.values(where), ...Object.values(except)],
  });
  return rows.length > 0;
}

function conditionOf({ dialect }: Reader, where: ColumnValues): string {
  const { quote } = dialectOf(dialect);
  return Object.keys(where)
    .map((name) => `${quote(name)} = ?`)
    .join(' AND ');
}
