/** Stores whose ledger has the steps from before version 0.1.0, which were merged since; and a column that is added. */
import { expect, test } from 'vitest';
import { migrations } from '../../migrations/list.js';
import { columnsOf, nullable } from '../../migrations/table.js';
import {
  checkMigrated,
  type MigrationRun,
  migrateDown,
  migrateUp,
  migrationStatus,
} from '../../src/store/migrations/migrate.js';
import type { Migration } from '../../src/store/migrations/migration.js';
import { describeEachDatabase } from '../support/databases.js';
import { caught } from './refusals.js';
import { open, ownStore, prefix, schemaDump, tableNames } from './store.js';

/** Into which the former ones were merged; later ones are pending like any other. */
const merged = migrations.filter(({ name }) => name <= '2026-11-28T12-own-search');
const names = merged.map(({ name }) => name);
const own = merged.filter(({ target }) => target === 'own').map(({ name }) => name);
const formerOwn = ['2026-11-21T01-own-state', '2026-11-23T03-own-previews', '2026-11-26T01-own-preview-log-ins'];
const formerContent = ['2026-11-21T02-content-resources', '2026-11-28T01-content-alias-slashes'];

/** Its column is there already when the step starts again. */
const later: Migration = {
  name: '2027-01-01T01-own-later',
  target: 'own',
  ...columnsOf('previews', [nullable('more', 'int(10)'), nullable('note', 'text')]),
};

async function storeWith(run: MigrationRun, former: readonly string[]): Promise<void> {
  await migrateUp(run);
  const rows = former.map((name) => `('${name}', 1, 2, '0.1.0')`).join(', ');
  const insert = `INSERT INTO hcd_migrations (name, started_at, applied_at, written_by) VALUES ${rows}`;
  await run.own.write(async (tx) => {
    for (const sql of ['DELETE FROM hcd_migrations', insert]) await tx.run({ sql, params: [] });
  });
}

async function ledgerOf(run: MigrationRun): Promise<string[]> {
  const rows = await run.own.select({ sql: 'SELECT name FROM hcd_migrations ORDER BY name', params: [] });
  return rows.map(([name]) => String(name));
}

describeEachDatabase('a store with all steps from before version 0.1.0', (database) => {
  test('counts as migrated, keeps its rows, and is recorded under the present steps by hcd migrate', async () => {
    const run = { ...(await ownStore(await database.url())), migrations: merged };
    await storeWith(run, [...formerOwn, ...formerContent]);
    await run.own.write((tx) => tx.run({ sql: `DELETE FROM ${prefix}access_context`, params: [] }));
    const schema = await schemaDump(run.own);
    await checkMigrated(run);
    expect(new Set((await migrationStatus(run)).map(({ state }) => state))).toEqual(new Set(['applied']));
    expect(await ledgerOf(run)).toEqual([...formerOwn, ...formerContent].sort());

    expect(await migrateUp(run)).toEqual([]);
    expect(await ledgerOf(run)).toEqual(names);
    expect(await schemaDump(run.own)).toEqual(schema);
    expect(await run.own.select({ sql: `SELECT * FROM ${prefix}access_context`, params: [] })).toEqual([]);
  });

  test('gets the steps that were added later, and can be reverted', async () => {
    const run = { ...(await ownStore(await database.url())), migrations: merged };
    await storeWith(run, [...formerOwn, ...formerContent]);
    const newer = { ...run, migrations: [...merged, later] };
    expect((await migrationStatus(newer)).at(-1)).toMatchObject({ name: later.name, state: 'pending' });
    expect(await migrateUp(newer)).toEqual([later.name]);
    expect(await ledgerOf(run)).toEqual([...names, later.name]);
    expect(await migrateDown(newer, names[0])).toEqual([...names, later.name].toReversed());
    expect(await tableNames(run.own)).toEqual(['hcd_migrations']);
  });

  test('is adopted next to a CMS without the content steps', async () => {
    const content = await open(await database.url());
    const run: MigrationRun = { content, own: content, kind: 'attached', prefix, migrations: merged, version: '1.2.3' };
    await storeWith(run, formerOwn);
    await checkMigrated(run);
    expect(await migrateUp(run)).toEqual([]);
    expect(await ledgerOf(run)).toEqual(own);
  });
});

describeEachDatabase('a store with some steps from before version 0.1.0', (database) => {
  test.each([
    ['own', [...formerOwn.slice(0, 2), ...formerContent]],
    ['content', [...formerOwn, ...formerContent.slice(0, 1)]],
  ])('is refused without the last %s step, and says what to run', async (_name, former) => {
    const run = await ownStore(await database.url());
    await storeWith(run, former);
    const ledger = await ledgerOf(run);
    for (const act of [checkMigrated, migrateUp, migrateDown, migrationStatus]) {
      expect(await caught(act(run))).toMatchObject({
        code: 'database_not_ready',
        message: expect.stringMatching(
          / is of an unreleased version of hcd, and later ones of it are missing\. Run hcd migrate of the last version before they were merged, then this one\.$/,
        ),
      });
    }
    expect(await ledgerOf(run)).toEqual(ledger);
  });
});

describeEachDatabase('a step that adds columns', (database) => {
  test('completes what an interrupted run began, up and down', async () => {
    const run = await ownStore(await database.url());
    await migrateUp(run);
    const before = await schemaDump(run.own);
    const newer = { ...run, migrations: [...migrations, later] };
    await run.own.write((tx) => tx.run({ sql: 'ALTER TABLE hcd_previews ADD COLUMN `more` INTEGER NULL', params: [] }));
    expect(await migrateUp(newer)).toEqual([later.name]);
    expect((await schemaDump(run.own)).hcd_previews).toMatch(/`more`.*`note`/s);
    await run.own.write((tx) => tx.run({ sql: 'ALTER TABLE hcd_previews DROP COLUMN `note`', params: [] }));
    expect(await migrateDown(newer)).toEqual([later.name]);
    expect(await schemaDump(run.own)).toEqual(before);
  });
});
