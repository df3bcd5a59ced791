/** The test support itself: a copied store is a migrated one, and the guard holds. */
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { migrationRun } from '../../commands/open-store.js';
import type { Database } from '../../src/store/base/database.js';
import { migrateUp } from '../../src/store/migrations/migrate.js';
import { openStore } from '../../src/store/open/open.js';
import { schemaDump, tableNames } from '../migrations/store.js';
import { describeEachDatabase } from './databases.js';
import { migrate, openMigrated } from './migrate.js';

/** Schema and rows, without the times at which the steps were applied. */
async function contentsOf(database: Database): Promise<unknown> {
  const rows: Record<string, unknown> = {};
  for (const name of await tableNames(database)) {
    const columns = name === 'hcd_migrations' ? 'name' : '*';
    rows[name] = await database.select({ sql: `SELECT ${columns} FROM \`${name}\` ORDER BY 1`, params: [] });
  }
  return { schema: await schemaDump(database), rows };
}

describeEachDatabase('a migrated test store', (database) => {
  test('has the tables and rows that the migrations make', async () => {
    const target = async () => ({ databaseUrl: await database.url(), prefix: 'modx_' });
    await migrate(await target());
    const stores = [await openMigrated(await target()), await openStore(await target())] as const;
    const [copied, made] = stores;
    await migrateUp(migrationRun(made));
    expect(await contentsOf(copied.content)).toEqual(await contentsOf(made.content));
    await Promise.all(stores.map((store) => store.close()));
  });
});

test('a connection to another machine throws', () => {
  expect(() => connect(80, '192.0.2.1')).toThrow('the outside network is blocked in tests: connection to 192.0.2.1');
});

test('a request to another machine fails', async () => {
  await expect(fetch('http://example.org/')).rejects.toMatchObject({
    cause: { message: 'the outside network is blocked in tests: connection to example.org' },
  });
});
