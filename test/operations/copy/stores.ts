/** Stores for the tests of copying: made, filled, copied by the command, and read with plain SELECTs. */
import type { CopyOptions } from '../../../commands/db/copy.js';
import type { Host } from '../../../commands/host.js';
import { systemClock } from '../../../src/clock/clock.js';
import type { Database, RawRow, RawValue } from '../../../src/store/base/database.js';
import { maintenanceLimits } from '../../../src/store/base/limits.js';
import { openDatabase, openStore } from '../../../src/store/open/open.js';
import { runCli } from '../../support/cli.js';
import { openMigrated } from '../../support/migrate.js';
import { type Row, seed } from '../../support/seed.js';

export const prefix = 'modx_';

/** Migrates the database and puts rows into it (tables without prefix). */
export async function makeOwnStore(url: string, tables: Readonly<Record<string, readonly Row[]>> = {}): Promise<void> {
  const store = await openMigrated({ databaseUrl: url, prefix, limits: maintenanceLimits });
  try {
    await seed(store, tables);
  } finally {
    await store.close();
  }
}

/** Runs statements, each in a transaction of its own. */
export function change(url: string, statements: readonly string[]): Promise<void> {
  return withDatabase(url, async (database) => {
    for (const sql of statements) await database.write((tx) => tx.run({ sql, params: [] }));
  });
}

/** Opens the database for the work. */
export async function withDatabase<T>(url: string, work: (database: Database) => Promise<T>): Promise<T> {
  const database = await openDatabase({ url, limits: maintenanceLimits });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

export interface Copied {
  readonly code: number | null;
  /** Absent when the copy was refused. */
  readonly data?: Report;
  readonly error?: { readonly code: string; readonly message: string };
}

export interface Report {
  readonly tables: readonly Readonly<Record<string, unknown>>[];
  readonly skipped: readonly Readonly<Record<string, unknown>>[];
  readonly notes: readonly string[];
  readonly complete?: boolean;
}

export interface CopyFlags extends Partial<Omit<CopyOptions, 'from' | 'to'>> {
  /** Stands for opening the stores, to make one of them fail. */
  readonly openStore?: Host['openStore'];
}

/** Runs `hcd db copy` in this process. */
export async function copy(from: string, to: string, flags: CopyFlags = {}): Promise<Copied> {
  const { openStore: open = openStore, ...options } = flags;
  const given = Object.entries(options).flatMap(([name, value]) => {
    const flag = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    return typeof value === 'boolean' ? (value ? flag : []) : [flag, String(value)];
  });
  const line = ['db', 'copy', '--from', from, '--to', to, ...given, '--json'];
  const { code, stdout } = await runCli(line, { openStore: open, clock: systemClock });
  return { code, ...JSON.parse(stdout) };
}

/** The rows of a statement without parameters. */
export function select(url: string, sql: string): Promise<readonly RawRow[]> {
  return withDatabase(url, (database) => database.select({ sql, params: [] }));
}

/** The report of one table. */
export function reportOf(copied: Copied, table: string): Readonly<Record<string, unknown>> | undefined {
  return copied.data?.tables.find((one) => one['table'] === table);
}

/** All rows of the named columns, exact and in an order of their own. */
export function rowsOf(url: string, table: string, columns: readonly string[]): Promise<string[]> {
  return withDatabase(url, async (database) => {
    const list = columns.map((column) => `\`${column}\``).join(', ');
    const rows = await database.select({ sql: `SELECT ${list} FROM \`${table}\``, params: [] });
    return rows.map((row) => JSON.stringify(row.map(spell))).sort();
  });
}

function spell(value: RawValue): unknown {
  if (Buffer.isBuffer(value)) return { bytes: value.toString('hex') };
  return typeof value === 'bigint' ? { integer: String(value) } : value;
}

/** Names of the tables that begin with a text, in order. */
export function tablesOf(url: string, start: string): Promise<string[]> {
  return withDatabase(url, async (database) => {
    const sql =
      database.dialect === 'mariadb'
        ? "SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE() AND table_type = 'BASE TABLE'"
        : "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT IN (SELECT name FROM pragma_table_list WHERE type IN ('virtual', 'shadow'))";
    const rows = await database.select({ sql, params: [] });
    return rows
      .map(([name]) => String(name))
      .filter((name) => name.startsWith(start))
      .sort();
  });
}

/** Names of the columns of a table, in order. */
export function columnsOf(url: string, table: string): Promise<string[]> {
  return withDatabase(url, async (database) => {
    const rows = await database.select(
      database.dialect === 'mariadb'
        ? {
            sql: 'SELECT column_name FROM information_schema.columns WHERE table_schema = DATABASE() AND table_name = ? ORDER BY ordinal_position',
            params: [table],
          }
        : { sql: 'SELECT name FROM pragma_table_info(?)', params: [table] },
    );
    return rows.map(([name]) => String(name));
  });
}
