/** Writes to the tables of a target: rows in statements of several, removal of all rows, and the counters of ids. */
import type { Tx } from '../../store/base/database.js';
import { dialectOf } from '../../store/base/dialect.js';
import type { WriteRow } from './table-shape.js';

/** Few sizes, so that statements stay prepared. */
const chunkSizes = [64, 8, 1];
/** SQLite takes 32,766 values in a statement; MariaDB twice as many. */
const mostValues = 30_000;
/** Below the smallest packet that a server is configured to take. */
const mostBytes = 4_000_000;

/** Otherwise MariaDB takes the id 0 for a missing one and counts. The connections of copies do nothing else. */
const keepZeros = "SET SESSION sql_mode = CONCAT(@@SESSION.sql_mode, ',NO_AUTO_VALUE_ON_ZERO')";

export interface RowWrite {
  readonly table: string;
  readonly columns: readonly string[];
  readonly rows: readonly WriteRow[];
}

export async function insertRows(tx: Tx, { table, columns, rows }: RowWrite): Promise<void> {
  const { quote } = dialectOf(tx.dialect);
  const start = `INSERT INTO ${quote(table)} (${columns.map(quote).join(', ')}) VALUES `;
  const marks = `(${columns.map(() => '?').join(', ')})`;
  if (tx.dialect === 'mariadb') await tx.run({ sql: keepZeros, params: [] });
  let at = 0;
  while (at < rows.length) {
    const size = chunkSizes.find((one) => fits(rows.slice(at, at + one), one)) ?? 1;
    const chunk = rows.slice(at, at + size);
    await tx.run({ sql: start + new Array(size).fill(marks).join(', '), params: chunk.flat() });
    at += size;
  }
}

function fits(rows: readonly WriteRow[], size: number): boolean {
  if (rows.length < size || size * (rows[0]?.length ?? 0) > mostValues) return false;
  return rows.reduce((sum, row) => sum + bytesOf(row), 0) <= mostBytes;
}

function bytesOf(row: WriteRow): number {
  return row.reduce<number>(
    (sum, value) => sum + (typeof value === 'string' ? 3 * value.length : Buffer.isBuffer(value) ? value.length : 8),
    0,
  );
}

export async function removeRows(tx: Tx, table: string): Promise<void> {
  await tx.run({ sql: `DELETE FROM ${dialectOf(tx.dialect).quote(table)}`, params: [] });
}

/** On MariaDB the statement ends the transaction. */
export async function raiseNextId(tx: Tx, { table, nextId }: { table: string; nextId: bigint }): Promise<void> {
  if (tx.dialect === 'mariadb') {
    await tx.run({ sql: `ALTER TABLE ${dialectOf('mariadb').quote(table)} AUTO_INCREMENT = ${nextId}`, params: [] });
    return;
  }
  const used = nextId - 1n;
  const raised = 'UPDATE sqlite_sequence SET seq = ? WHERE name = ? AND seq < ?';
  await tx.run({ sql: raised, params: [used, table, used] });
  const added =
    'INSERT INTO sqlite_sequence (name, seq) SELECT ?, ? WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = ?)';
  await tx.run({ sql: added, params: [table, used, table] });
}
