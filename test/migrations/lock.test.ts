/** The named lock that keeps two MariaDB runs apart, and connections that die while they hold it. */
import { expect, test } from 'vitest';
import { migrations } from '../../migrations/list.js';
import { migrateUp, migrationStatus } from '../../src/store/migrations/migrate.js';
import type { Migration } from '../../src/store/migrations/migration.js';
import { describeWithMariadb, executeOnMariadb, freshMariadbUrl } from '../support/databases.js';
import { caught, expectRefusal, failAfter } from './refusals.js';
import { ownStore, tableNames } from './store.js';

const names = migrations.map((migration) => migration.name);

describeWithMariadb('the lock of a MariaDB run', () => {
  // Another name would let two versions of the program migrate at once.
  const name = "CONCAT('hcd-migrate-', LEFT(SHA2(DATABASE(), 256), 32))";
  const lock = `GET_LOCK(${name}, 0)`;

  test('a runner that waits too long for another one is refused and changes nothing', async () => {
    const run = await ownStore(await freshMariadbUrl());
    await run.own.write(async (tx) => {
      await tx.select({ sql: `SELECT ${lock} AS taken`, params: [] });
      await expectRefusal(
        migrateUp({ ...run, lockSeconds: 1 }),
        'Another process has been migrating this database for more than 1 s. Wait until it is done, then run hcd migrate again.',
      );
      await tx.select({ sql: 'SELECT RELEASE_ALL_LOCKS() AS released', params: [] });
    });
    expect(await tableNames(run.own)).toEqual([]);
  });

  test('is given back after success and after failure, and belongs to one database', async () => {
    const url = await freshMariadbUrl();
    const run = await ownStore(url);
    await caught(migrateUp({ ...run, migrations: migrations.with(0, failAfter(migrations[0], 0)) }));
    await migrateUp(run);
    expect(await run.own.select({ sql: `SELECT IS_FREE_LOCK(${name}) AS free`, params: [] })).toEqual([[1]]);
    const neighbour = await ownStore(await freshMariadbUrl());
    await neighbour.own.write(async (tx) => {
      await tx.select({ sql: `SELECT ${lock} AS taken`, params: [] });
      expect(await migrateUp({ ...run, lockSeconds: 1 })).toEqual([]);
      await tx.select({ sql: 'SELECT RELEASE_ALL_LOCKS() AS released', params: [] });
    });
  });

  test('a run whose connection is killed ends with a refusal, and the next run completes it', async () => {
    const url = await freshMariadbUrl();
    const run = await ownStore(url);
    const killing = migrations.map((step, index): Migration => {
      if (index !== 3) return step;
      return {
        ...step,
        async up(context) {
          await step.up(context);
          const [row] = await context.select('SELECT CONNECTION_ID() AS id');
          await executeOnMariadb(url, [`KILL ${Number(row?.[0])}`]);
          await context.select('SELECT 1 AS one');
        },
      };
    });
    expect((await caught(migrateUp({ ...run, migrations: killing }))).code).toBe('unavailable');
    expect((await migrationStatus(run)).map((row) => row.state).slice(2, 5)).toEqual(['applied', 'pending', 'pending']);
    expect(await migrateUp({ ...run, lockSeconds: 5 })).toEqual(names.slice(3));
  });
});
