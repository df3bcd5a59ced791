/** Rows of registered objects, one at a time, by their primary key. Names come from definitions that fit the table. */
import { readTables, type Table } from '../../store/base/columns.js';
import type { Param, Reader, Statement, Tx } from '../../store/base/database.js';
import { dialectOf } from '../../store/base/dialect.js';
import { classifyFailure } from '../../store/base/errors.js';

/** Values by column name. */
export type ColumnValues = ReadonlyMap<string, Param>;

export interface RowAddress {
  /** Real name of the table. */
  readonly table: string;
  readonly keyColumn: string;
  readonly key: Param;
}

export type RowWrite =
  /** `lastId` is the key that the database made by counting. */
  | { readonly kind: 'done'; readonly lastId: number }
  /** A unique or foreign key refused the row; nothing was written and the transaction goes on. */
  | { readonly kind: 'conflict'; readonly error: unknown };

/** The statement, its rows kept from other writers until the end of the transaction. SQLite has one writer at a time. */
export function lockingRows(statement: Statement, { dialect }: Reader): Statement {
  return dialect === 'sqlite' ? statement : { ...statement, sql: `${statement.sql} FOR UPDATE` };
}

/** Inserts a row; a column that counts by itself is given as null, or left out beside others. */
export async function insertRow(tx: Tx, table: string, values: ColumnValues): Promise<RowWrite> {
  const { quote } = dialectOf(tx.dialect);
  const names = [...values.keys()].map(quote).join(', ');
  const marks = [...values.keys()].map(() => '?').join(', ');
  return write(tx, {
    sql: `INSERT INTO ${quote(table)} (${names}) VALUES (${marks})`,
    params: [...values.values()],
  });
}

/** Writes columns of a row; none at all is no statement. */
export async function updateRow(
  tx: Tx,
  { table, keyColumn, key }: RowAddress,
  values: ColumnValues,
): Promise<RowWrite> {
  if (values.size === 0) return { kind: 'done', lastId: 0 };
  const { quote } = dialectOf(tx.dialect);
  const assignments = [...values.keys()].map((column) => `${quote(column)} = ?`).join(', ');
  return write(tx, {
    sql: `UPDATE ${quote(table)} SET ${assignments} WHERE ${quote(keyColumn)} = ?`,
    params: [...values.values(), key],
  });
}

/** Removes a row for good. */
export async function deleteRow(tx: Tx, { table, keyColumn, key }: RowAddress): Promise<RowWrite> {
  const { quote } = dialectOf(tx.dialect);
  return write(tx, { sql: `DELETE FROM ${quote(table)} WHERE ${quote(keyColumn)} = ?`, params: [key] });
}

async function write(tx: Tx, statement: Statement): Promise<RowWrite> {
  try {
    const { lastId } = await tx.run(statement);
    return { kind: 'done', lastId };
  } catch (error) {
    if (classifyFailure(error) !== 'conflict') throw error;
    return { kind: 'conflict', error };
  }
}

/** Whether a row of the table has all these values; `except` is the row that may. */
export async function hasRow(
  db: Reader,
  asked: { readonly table: string; readonly values: ColumnValues; readonly except?: RowAddress },
): Promise<boolean> {
  const { quote } = dialectOf(db.dialect);
  const conditions = [...asked.values.keys()].map((column) => `${quote(column)} = ?`);
  const params = [...asked.values.values()];
  if (asked.except) {
    conditions.push(`${quote(asked.except.keyColumn)} <> ?`);
    params.push(asked.except.key);
  }
  const sql = `SELECT 1 FROM ${quote(asked.table)} WHERE ${conditions.join(' AND ')} LIMIT 1`;
  return (await db.select({ sql, params })).length > 0;
}

/** The table as it is; undefined when there is none of that name. */
export async function readTable(db: Reader, table: string): Promise<Table | undefined> {
  return (await readTables(db, table)).get(table);
}

/** The columns of each key that no two rows may share, the primary key first. */
export function uniqueKeys({ columns, indexes }: Table): readonly (readonly string[])[] {
  const primary = [...columns.values()].filter(({ isPrimary }) => isPrimary).map(({ name }) => name);
  return [primary, ...indexes.filter(({ unique }) => unique).map((index) => index.columns)].filter(
    (names) => names.length > 0,
  );
}
