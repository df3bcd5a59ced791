/** Writes the ledger of migrations: which steps have begun and which are complete. */
import type { Reader, Tx } from '../base/database.js';
import { nowMilliseconds } from '../base/dialect.js';
import { ledgerTable } from '../open/open.js';

interface Entry {
  readonly name: string;
  readonly version: string;
  readonly ledger?: string;
}

export async function createLedger(tx: Tx, ledger = ledgerTable): Promise<void> {
  const sql =
    tx.dialect === 'mariadb'
      ? `CREATE TABLE IF NOT EXISTS ${ledger} (name varchar(100) NOT NULL PRIMARY KEY, started_at bigint(20) NOT NULL, applied_at bigint(20) NULL, written_by varchar(100) NULL)
         ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC`
      : `CREATE TABLE IF NOT EXISTS ${ledger} (name TEXT NOT NULL PRIMARY KEY, started_at INTEGER NOT NULL, applied_at INTEGER NULL, written_by TEXT NULL) STRICT`;
  await tx.run({ sql, params: [] });
}

export async function isApplied(tx: Tx, name: string): Promise<boolean> {
  const sql = `SELECT 1 AS applied FROM ${ledgerTable} WHERE name = ? AND applied_at IS NOT NULL`;
  return (await tx.select({ sql, params: [name] })).length > 0;
}

export function recordStarted(tx: Tx, entry: Entry): Promise<void> {
  return record(tx, entry, 'NULL');
}

export function recordApplied(tx: Tx, entry: Entry): Promise<void> {
  return record(tx, entry, nowMilliseconds(tx.dialect));
}

async function record(tx: Tx, { name, version, ledger = ledgerTable }: Entry, appliedAt: string): Promise<void> {
  const conflict = tx.dialect === 'mariadb' ? 'ON DUPLICATE KEY UPDATE' : 'ON CONFLICT (name) DO UPDATE SET';
  const values = `(?, ${nowMilliseconds(tx.dialect)}, ${appliedAt}, ?)`;
  const sql = `INSERT INTO ${ledger} (name, started_at, applied_at, written_by) VALUES ${values} ${conflict} applied_at = ${appliedAt}, written_by = ?`;
  await tx.run({ sql, params: [name, version, version] });
}

export async function removeRecord(tx: Tx, name: string): Promise<void> {
  await tx.run({ sql: `DELETE FROM ${ledgerTable} WHERE name = ?`, params: [name] });
}

/** Without the ledger, virtual tables and their shadow tables. */
export async function sqliteTables(reader: Reader): Promise<string[]> {
  const sql = `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name <> ?
    AND name NOT IN (SELECT l.name FROM pragma_table_list AS l WHERE l.type IN ('virtual', 'shadow'))`;
  return (await reader.select({ sql, params: [ledgerTable] })).map(([name]) => String(name));
}
