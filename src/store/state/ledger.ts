/**
 * The ledger of migrations, a table in the program's own database: which steps began and which are applied. A step that
 * began and is not applied was interrupted, or is being applied right now.
 */
import type { Reader, Tx } from '../base/database.js';

const table = 'hcd_migrations';

export interface LedgerRow {
  readonly name: string;
  /** Unix milliseconds; null while the step is not complete. */
  readonly appliedAt: number | null;
}

/** The dialect's expression for now in Unix milliseconds. */
export function nowMilliseconds(dialect: Reader['dialect']): string {
  return dialect === 'mariadb'
    ? 'CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS UNSIGNED)'
    : "CAST(unixepoch('subsec') * 1000 AS INTEGER)";
}

/** Whether the database has the table. */
export async function hasTable(reader: Reader, name: string): Promise<boolean> {
  const sql =
    reader.dialect === 'mariadb'
      ? 'SELECT 1 AS found FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name = ?'
      : "SELECT 1 AS found FROM sqlite_master WHERE type = 'table' AND name = ?";
  return (await reader.select({ sql, params: [name] })).length > 0;
}

/** Names of all tables except the ledger itself, for SQLite. */
export async function sqliteTables(reader: Reader): Promise<string[]> {
  const sql =
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name <> ?";
  return (await reader.select({ sql, params: [table] })).map(([name]) => String(name));
}

/** Every row in order of name; none when the ledger is not there yet. */
export async function readLedger(reader: Reader): Promise<LedgerRow[]> {
  if (!(await hasTable(reader, table))) return [];
  const rows = await reader.select({ sql: `SELECT name, applied_at FROM ${table} ORDER BY name`, params: [] });
  return rows.map(([name, appliedAt]) => ({
    name: String(name),
    appliedAt: appliedAt === null || appliedAt === undefined ? null : Number(appliedAt),
  }));
}

/** Makes the ledger unless it is there. */
export async function createLedger(tx: Tx, ledger = table): Promise<void> {
  const sql =
    tx.dialect === 'mariadb'
      ? `CREATE TABLE IF NOT EXISTS ${ledger} (name varchar(100) NOT NULL PRIMARY KEY, started_at bigint(20) NOT NULL, applied_at bigint(20) NULL)
         ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin`
      : `CREATE TABLE IF NOT EXISTS ${ledger} (name TEXT NOT NULL PRIMARY KEY, started_at INTEGER NOT NULL, applied_at INTEGER NULL) STRICT`;
  await tx.run({ sql, params: [] });
}

export async function isApplied(tx: Tx, name: string): Promise<boolean> {
  const sql = `SELECT 1 AS applied FROM ${table} WHERE name = ? AND applied_at IS NOT NULL`;
  return (await tx.select({ sql, params: [name] })).length > 0;
}

/** Records that a step is under way, in either direction. */
export function recordStarted(tx: Tx, name: string): Promise<void> {
  return record(tx, { name, appliedAt: 'NULL' });
}

export function recordApplied(tx: Tx, name: string, ledger = table): Promise<void> {
  return record(tx, { name, appliedAt: nowMilliseconds(tx.dialect), ledger });
}

async function record(
  tx: Tx,
  { name, appliedAt, ledger = table }: { readonly name: string; readonly appliedAt: string; readonly ledger?: string },
): Promise<void> {
  const conflict = tx.dialect === 'mariadb' ? 'ON DUPLICATE KEY UPDATE' : 'ON CONFLICT (name) DO UPDATE SET';
  const values = `(?, ${nowMilliseconds(tx.dialect)}, ${appliedAt})`;
  const sql = `INSERT INTO ${ledger} (name, started_at, applied_at) VALUES ${values} ${conflict} applied_at = ${appliedAt}`;
  await tx.run({ sql, params: [name] });
}

export async function removeRecord(tx: Tx, name: string): Promise<void> {
  await tx.run({ sql: `DELETE FROM ${table} WHERE name = ?`, params: [name] });
}
