/**
 * Brings the store of a test to the newest schema. What the steps made of the first new store is remembered, and every
 * later one gets it by statements of its own, without the steps: most tests begin with a new store.
 */
import { migrationRun } from '../../commands/open-store.js';
import type { Database, Reader, Statement, Tx } from '../../src/store/base/database.js';
import { migrateUp } from '../../src/store/migrations/migrate.js';
import type { Store } from '../../src/store/open/open.js';

type Made = readonly Statement[];

const remembered = new Map<Database['dialect'], Made>();

/** Applies every migration; the tests of the migrations themselves call the runner. */
export async function migrate(store: Store): Promise<void> {
  const { content, own, prefix, kind } = store;
  const isUsual = content === own && kind === 'empty' && prefix === 'modx_' && (await isEmpty(content.primary));
  const made = remembered.get(content.dialect);
  if (isUsual && made !== undefined) {
    await content.write((tx) => (content.dialect === 'mariadb' ? runAtOnce(tx, made) : runAll(tx, made)));
    return;
  }
  await migrateUp(migrationRun(store));
  if (isUsual) remembered.set(content.dialect, await describe(content.primary));
}

async function runAll(tx: Tx, statements: Made): Promise<void> {
  for (const statement of statements) await tx.run(statement);
}

/** In one question, and as text: preparing each of them costs the server and this process more than running it. */
async function runAtOnce(tx: Tx, statements: Made): Promise<void> {
  const sql = `BEGIN NOT ATOMIC ${statements.map((statement) => `${statement.sql};`).join('\n')} END`;
  await tx.run({ sql, params: statements.flatMap(({ params }) => params), heavy: true });
}

async function isEmpty(reader: Reader): Promise<boolean> {
  return (await tableNames(reader)).length === 0;
}

const withoutOwn = "SELECT name FROM pragma_table_list WHERE type IN ('virtual', 'shadow')";

async function tableNames(reader: Reader): Promise<string[]> {
  const sql =
    reader.dialect === 'sqlite'
      ? `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
          AND name NOT IN (${withoutOwn})`
      : 'SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE()';
  return (await reader.select({ sql, params: [] })).map(([name]) => String(name));
}

/** The statements that make the tables, their indexes and their rows. */
async function describe(reader: Reader): Promise<Made> {
  const names = await tableNames(reader);
  const schema = reader.dialect === 'sqlite' ? sqliteSchema(reader) : mariadbSchema(reader, names);
  const rows = await Promise.all(names.map((name) => rowsOf(reader, name)));
  return [...(await schema).map((sql) => ({ sql, params: [] })), ...rows.flat()];
}

async function sqliteSchema(reader: Reader): Promise<string[]> {
  // Tables before the indexes and triggers on them; a virtual table makes its own.
  const sql = `SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
    AND name NOT IN (SELECT name FROM pragma_table_list WHERE type = 'shadow') ORDER BY type <> 'table', rowid`;
  return (await reader.select({ sql, params: [] })).map(([statement]) => String(statement));
}

function mariadbSchema(reader: Reader, names: readonly string[]): Promise<string[]> {
  return Promise.all(
    names.map(async (name) =>
      String((await reader.select({ sql: `SHOW CREATE TABLE \`${name}\``, params: [] }))[0]?.[1]),
    ),
  );
}

/** One statement for all rows of the table; none for an empty one. */
async function rowsOf(reader: Reader, table: string): Promise<Statement[]> {
  const rows = await reader.select({ sql: `SELECT * FROM \`${table}\``, params: [] });
  const row = `(${(rows[0] ?? []).map(() => '?').join(', ')})`;
  const sql = `INSERT INTO \`${table}\` VALUES ${rows.map(() => row).join(', ')}`;
  return rows.length === 0 ? [] : [{ sql, params: rows.flat() }];
}
