/**
 * The upgrade of a store that the first release made, with its data, to the newest schema and back. The folder
 * `first-schema` has its tables as each database describes them, and a row of NDJSON for each record.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { migrations } from '../../migrations/list.js';
import type { Database, Param } from '../../src/store/base/database.js';
import { checkMigrated, migrateDown, migrateUp, migrationStatus } from '../../src/store/migrations/migrate.js';
import { openStore } from '../../src/store/open/open.js';
import { runCli } from '../support/cli.js';
import { describeEachDatabase } from '../support/databases.js';
import { ownStore, rowsOf, schemaDump } from './store.js';

const folder = join(import.meta.dirname, 'first-schema');

interface StoredRow {
  readonly table: string;
  readonly row: Readonly<Record<string, Param>>;
}

const rows = readFileSync(join(folder, 'rows.ndjson'), 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line): StoredRow => JSON.parse(line));
const firstNames = rows.filter(({ table }) => table === 'hcd_migrations').map(({ row }) => String(row.name));
const later = migrations.map(({ name }) => name).filter((name) => !firstNames.includes(name));

/** Makes the tables of the first release and their rows. */
async function load(database: Database): Promise<void> {
  const schema = readFileSync(join(folder, `${database.dialect}.sql`), 'utf8');
  await database.write(async (tx) => {
    for (const sql of schema.split(/;\n/).filter((text) => text.trim() !== '')) await tx.run({ sql, params: [] });
    for (const { table, row } of rows) {
      const columns = Object.keys(row).map((name) => `\`${name}\``);
      const sql = `INSERT INTO \`${table}\` (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`;
      await tx.run({ sql, params: Object.values(row) });
    }
  });
}

/** Every record of the first release as it is now, by table. Texts of times differ between the databases. */
async function data(database: Database): Promise<Record<string, Record<string, unknown>[]>> {
  const columns = new Map(rows.map(({ table, row }) => [table, Object.keys(row)]));
  const found: Record<string, Record<string, unknown>[]> = {};
  for (const [table, names] of columns) found[table] = await rowsOf(database, table, names);
  return found;
}

describeEachDatabase('a store of the first release', (database) => {
  test('keeps its data on the way to the newest schema and back', async () => {
    const url = await database.url();
    const run = await ownStore(url);
    await load(run.own);
    const [schema, content] = [await schemaDump(run.own), await data(run.own)];
    expect(content.modx_site_content?.map(({ pagetitle }) => pagetitle)).toEqual([
      'Home',
      'Blog',
      'First post',
      'Draft',
    ]);
    expect((await migrationStatus(run)).filter(({ state }) => state === 'applied').map(({ name }) => name)).toEqual(
      firstNames,
    );

    expect(await migrateUp(run)).toEqual(later);
    await checkMigrated(run);
    const fresh = await ownStore(await database.url());
    await migrateUp(fresh);
    expect(await schemaDump(run.own)).toEqual(await schemaDump(fresh.own));
    const { hcd_migrations: _ledger, ...stored } = content;
    expect(await data(run.own)).toMatchObject(stored);
    expect((await migrationStatus(run)).map(({ writtenBy }) => writtenBy)).toEqual([
      ...firstNames.map(() => null),
      ...later.map(() => '1.2.3'),
    ]);

    const cli = (line: string) => runCli(line, { openStore, env: { HCD_DATABASE_URL: url } });
    const shown = JSON.parse((await cli('resource show 3 --json')).stdout);
    expect(shown.data).toMatchObject({ pagetitle: 'First post', uri: 'blog/first-post', parent: 2 });
    expect((await cli('key create --scopes resources.read')).code).toBe(0);

    expect(await migrateDown(run, later[0])).toEqual(later.toReversed());
    expect(await data(run.own)).toEqual(content);
    // The program of that release passes over the column that its ledger has got.
    expect(withoutLedger(await schemaDump(run.own))).toEqual(withoutLedger(schema));
    await checkMigrated({ ...run, migrations: migrations.slice(0, firstNames.length) });
  });
});

function withoutLedger({ hcd_migrations: _ledger, ...tables }: Record<string, string>): Record<string, string> {
  return tables;
}
