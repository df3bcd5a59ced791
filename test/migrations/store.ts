/** Stores for the migration tests: opened databases that close after each test, and a dump of their schema. */
import { onTestFinished } from 'vitest';
import { migrations } from '../../migrations/list.js';
import type { Database } from '../../src/store/base/database.js';
import { maintenanceLimits } from '../../src/store/base/limits.js';
import type { MigrationRun } from '../../src/store/migrations/migrate.js';
import { openDatabase, openStore, type StoreKind } from '../../src/store/open/open.js';
import { migrate } from '../support/migrate.js';

export const prefix = 'modx_';
/** Of the program that migrates. */
const version = '1.2.3';

/** Opens a database; it is closed when the test is over. */
export async function open(url: string): Promise<Database> {
  const database = await openDatabase({ url, limits: maintenanceLimits });
  onTestFinished(() => database.close());
  return database;
}

/** A run of all migrations on an own store that keeps everything in one database. */
export async function ownStore(url: string): Promise<MigrationRun> {
  const database = await open(url);
  return { content: database, own: database, kind: 'own', prefix, migrations, version };
}

/** The same after all of them. */
export async function migratedStore(url: string): Promise<MigrationRun> {
  await migrate({ databaseUrl: url, prefix });
  return ownStore(url);
}

/** What opening the store says about whose content tables there are. */
export async function kindOf(url: string): Promise<StoreKind> {
  const store = await openStore({ databaseUrl: url, prefix, limits: maintenanceLimits });
  await store.close();
  return store.kind;
}

/** All names of tables, the ledger included. */
export async function tableNames(database: Database): Promise<string[]> {
  const sql =
    database.dialect === 'mariadb'
      ? 'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE()'
      : "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'";
  const rows = await database.select({ sql, params: [] });
  return rows.map(([name]) => String(name)).sort();
}

/** The statements that make every table and index, by name. */
export async function schemaDump(database: Database): Promise<Record<string, string>> {
  if (database.dialect === 'sqlite') {
    const rows = await database.select({ sql: 'SELECT name, sql FROM sqlite_master ORDER BY name', params: [] });
    return Object.fromEntries(rows.map(([name, sql]) => [String(name), String(sql)]));
  }
  const dump: Record<string, string> = {};
  for (const name of await tableNames(database)) {
    const [row] = await database.select({ sql: `SHOW CREATE TABLE \`${name}\``, params: [] });
    // Tables of older steps have the row format that is the default of every server since 2017.
    dump[name] = String(row?.[1]).replace(/ AUTO_INCREMENT=\d+| ROW_FORMAT=DYNAMIC/g, '');
  }
  return dump;
}

/** Rows of a table as objects with the given columns, in order of the first. */
export async function rowsOf(
  database: Database,
  table: string,
  columns: readonly string[],
): Promise<Record<string, unknown>[]> {
  const list = columns.map((column) => `\`${column}\``).join(', ');
  const rows = await database.select({ sql: `SELECT ${list} FROM \`${table}\` ORDER BY 1`, params: [] });
  return rows.map((row) => Object.fromEntries(columns.map((column, index) => [column, row[index]])));
}
