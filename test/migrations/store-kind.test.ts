/** Telling an own store from an attached one, and an unused embedded store from one with rows. */
import { expect, test } from 'vitest';
import { migrations } from '../../migrations/list.js';
import { checkMigrated, isEmptyEmbedded, migrateDown, migrateUp } from '../../src/store/migrations/migrate.js';
import { describeEachDatabase, freshSqliteUrl } from '../support/databases.js';
import { caught, expectRefusal, failAfter } from './refusals.js';
import { kindOf, migratedStore, open, ownStore } from './store.js';

describeEachDatabase('the kind of store', (database) => {
  test('follows from the owner of the content tables', async () => {
    const url = await database.url();
    const run = await ownStore(url);
    expect(await kindOf(url)).toBe('empty');
    await migrateUp(run);
    expect(await kindOf(url)).toBe('own');
    await migrateDown(run, migrations[0]?.name);
    expect(await kindOf(url)).toBe('empty');
  });

  test('is refused when the ledger lists content tables that are missing, as with another prefix', async () => {
    const run = await migratedStore(await database.url());
    for (const kind of ['own', 'empty'] as const) {
      const other = { ...run, prefix: 'other_', kind };
      const message =
        'The ledger lists the content tables as created, but the table other_site_content is missing. Check HCD_CONTENT_PREFIX and the database addresses.';
      await expectRefusal(checkMigrated(other), message);
      await expectRefusal(migrateUp(other), message);
      await expectRefusal(migrateDown(other), message);
    }
    await checkMigrated(run);
  });
});

describeEachDatabase('a first start', (database) => {
  const embedded = database.name === 'sqlite';

  test('migrates only an empty embedded store without being asked', async () => {
    const run = await ownStore(await database.url());
    expect(await isEmptyEmbedded(run)).toBe(embedded);
    const seed = migrations.findIndex((step) => step.name.endsWith('-content-seed'));
    await caught(migrateUp({ ...run, migrations: migrations.with(seed, failAfter(migrations[seed], 3)) }));
    expect(await isEmptyEmbedded(run)).toBe(embedded);
    await migrateUp(run);
    expect(await isEmptyEmbedded(run)).toBe(false);
    expect(await isEmptyEmbedded({ ...run, kind: 'attached' })).toBe(false);
  });
});

test('content in SQLite may go with own tables in another file that has rows', async () => {
  const run = await ownStore(await freshSqliteUrl());
  const own = await open(await freshSqliteUrl());
  await own.write((tx) => tx.run({ sql: 'CREATE TABLE t (a INTEGER)', params: [] }));
  expect(await isEmptyEmbedded({ ...run, own })).toBe(true);
  await own.write((tx) => tx.run({ sql: 'INSERT INTO t VALUES (1)', params: [] }));
  expect(await isEmptyEmbedded({ ...run, own })).toBe(false);
});
