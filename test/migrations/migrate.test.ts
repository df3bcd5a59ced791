/** Applying, reverting and reporting migrations: order, refusals, crashes, runners at the same time. */
import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { migrations } from '../../migrations/list.js';
import {
  checkMigrated,
  type MigrationRun,
  type MigrationStep,
  migrateDown,
  migrateUp,
  migrationStatus,
} from '../../src/store/migrations/migrate.js';
import type { Migration } from '../../src/store/migrations/migration.js';
import { describeEachDatabase } from '../support/databases.js';
import { caught, expectRefusal, failAfter } from './refusals.js';
import { kindOf, migratedStore, open, ownStore, prefix, schemaDump, tableNames } from './store.js';

const names = migrations.map((migration) => migration.name);

describe('the list of migrations', () => {
  test('is sorted by name without repetition, and each name shows date and target', () => {
    expect(names).toEqual([...new Set(names)].sort());
    for (const { name, target } of migrations)
      expect(name).toMatch(new RegExp(`^\\d{4}-\\d\\d-\\d\\dT\\d\\d-${target}-`));
  });
});

test('the list of migrations has every file of the folder that is one', () => {
  const files = readdirSync('migrations').filter((name) => /^\d.*\.ts$/.test(name));
  expect(names).toEqual(files.map((name) => name.replace(/\.ts$/, '')).sort());
});

describeEachDatabase('migrating an own store', (database) => {
  test('up makes everything, down takes everything but the ledger away, up again gives the same schema', async () => {
    const run = await ownStore(await database.url());
    expect(await migrateUp(run)).toEqual(names);
    const schema = await schemaDump(run.own);

    expect(await migrateDown(run, names[0])).toEqual(names.toReversed());
    expect(await tableNames(run.own)).toEqual(['hcd_migrations']);

    expect(await migrateUp(run)).toEqual(names);
    expect(await schemaDump(run.own)).toEqual(schema);
  });

  test('each step can be reverted and repeated alone', async () => {
    const run = await migratedStore(await database.url());
    const schema = await schemaDump(run.own);
    for (const name of names.toReversed()) expect(await migrateDown(run)).toEqual([name]);
    expect(await migrateDown(run)).toEqual([]);
    for (const [index] of names.entries()) {
      const step = { ...run, migrations: migrations.slice(0, index + 1) };
      expect(await migrateUp(step)).toEqual([names[index]]);
    }
    expect(await schemaDump(run.own)).toEqual(schema);
  });

  test('every step may be repeated after it was done but not recorded', async () => {
    const run = await migratedStore(await database.url());
    const schema = await schemaDump(run.own);
    await run.own.write((tx) => tx.run({ sql: 'DELETE FROM hcd_migrations', params: [] }));
    expect(await migrateUp(run)).toEqual(names);
    expect(await schemaDump(run.own)).toEqual(schema);

    const before = new Map(migrations.map((step) => [step.name, step]));
    const twice: Migration[] = migrations.map((step) => ({
      ...step,
      async down(context) {
        await before.get(step.name)?.down(context);
        await before.get(step.name)?.down(context);
      },
    }));
    expect(await migrateDown({ ...run, migrations: twice }, names[0])).toEqual(names.toReversed());
    expect(await tableNames(run.own)).toEqual(['hcd_migrations']);
  });

  test('a newer database whose ledger names no version is refused without one', async () => {
    const run = await migratedStore(await database.url());
    const sql = `UPDATE hcd_migrations SET name = '2099-01-01T01-own-later', written_by = NULL WHERE name = '${names.at(-1)}'`;
    await run.own.write((tx) => tx.run({ sql, params: [] }));
    await expect(checkMigrated(run)).rejects.toMatchObject({
      code: 'database_newer',
      message:
        'The database is newer than this program (hcd 1.2.3): a newer hcd wrote migration 2099-01-01T01-own-later. Install the newer hcd, or revert with that version: hcd migrate down --to 2099-01-01T01-own-later.',
      details: { newer: { migration: '2099-01-01T01-own-later', writtenBy: null } },
    });
  });

  test('a step missing between applied ones is refused', async () => {
    const run = await ownStore(await database.url());
    await migrateUp({ ...run, migrations: migrations.slice(0, 6).filter((step) => step !== migrations[4]) });
    const message = `Migration ${names[4]} is missing, although the later ${names[5]} is applied. Restore a backup, or use the program that made this database.`;
    await expectRefusal(migrateUp(run), message);
    await expectRefusal(migrateDown(run), message);
    await expectRefusal(checkMigrated(run), message);
  });

  test('a step that fails halfway is named, and a later run completes it', async () => {
    const url = await database.url();
    const run = await ownStore(url);
    for (const [index, broken] of migrations.entries()) {
      const failing = migrations.with(index, failAfter(broken, 1));
      const error = await caught(migrateUp({ ...run, migrations: failing }));
      expect(error.code).toBe('database_not_ready');
      expect(error.message).toBe(
        `Migration ${broken.name} failed. The steps before it are kept; correct the cause and run hcd migrate again.`,
      );
      expect(error.cause).toMatchObject({ message: 'broken on purpose' });
      expect((await migrationStatus(run))[index]?.state).toBe('pending');
      // On MariaDB the table of the second step stays; the ledger says that it is ours.
      const began = index > (database.name === 'mariadb' ? 0 : 1);
      expect(await kindOf(url)).toBe(began ? 'own' : 'empty');
    }
    await migrateUp(run);
    const fresh = await ownStore(await database.url());
    await migrateUp(fresh);
    expect(await schemaDump(run.own)).toEqual(await schemaDump(fresh.own));
  });

  test('runners at the same time apply each step once', async () => {
    const url = await database.url();
    const counts = new Map<string, number>();
    const counting = migrations.map((step): Migration => {
      return {
        ...step,
        async up(context) {
          counts.set(step.name, (counts.get(step.name) ?? 0) + 1);
          await step.up(context);
        },
      };
    });
    const steps: MigrationStep[] = [];
    const runs = await Promise.all(
      Array.from({ length: 4 }, async (): Promise<MigrationRun> => {
        return { ...(await ownStore(url)), migrations: counting, onStep: (step) => steps.push(step) };
      }),
    );
    const applied = await Promise.all(runs.map(migrateUp));
    expect(applied.flat().sort()).toEqual(names);
    expect(steps).toEqual(names.map((name) => ({ name, direction: 'up' })));
    expect([...counts.values()]).toEqual(names.map(() => 1));
  });

  test('on an attached store creates only own tables, next to the content or in another database', async () => {
    const content = await open(await database.url());
    await content.write((tx) =>
      tx.run({ sql: `CREATE TABLE ${prefix}site_content (id INTEGER PRIMARY KEY)`, params: [] }),
    );
    const elsewhere = await open(await database.url());
    const own = migrations.filter((step) => step.target === 'own').map((step) => step.name);
    const foreign = await schemaDump(content);
    for (const place of [elsewhere, content]) {
      const run: MigrationRun = { content, own: place, kind: 'attached', prefix, migrations, version: '1.2.3' };
      expect(await migrateUp(run)).toEqual(own);
      await checkMigrated(run);
      expect(new Set((await migrationStatus(run)).map((row) => `${row.target} ${row.state}`))).toEqual(
        new Set(['own applied', 'content not-applicable']),
      );
    }
    expect(await schemaDump(content)).toMatchObject(foreign);
    const contentNames = (await tableNames(content)).filter((name) => !name.startsWith('hcd_'));
    expect(contentNames).toEqual([`${prefix}site_content`]);
    const run: MigrationRun = { content, own: content, kind: 'attached', prefix, migrations, version: '1.2.3' };
    for (const name of own.toReversed()) expect(await migrateDown(run)).toEqual([name]);
    expect(await migrateDown(run)).toEqual([]);
    expect(await tableNames(content)).toEqual(['hcd_migrations', `${prefix}site_content`]);
  });

  test('a ledger with content steps is refused where the content is said to be attached', async () => {
    const run = await migratedStore(await database.url());
    await expectRefusal(
      migrateUp({ ...run, kind: 'attached' }),
      `The ledger holds content migration ${names[1]}, but the content tables belong to a CMS. Check HCD_DATABASE_URL and HCD_OWN_DATABASE_URL.`,
    );
  });

  test('content and own tables may live in two databases', async () => {
    const content = await open(await database.url());
    const own = await open(await database.url());
    const run: MigrationRun = { content, own, kind: 'own', prefix, migrations, version: '1.2.3' };
    const failing = migrations.with(3, failAfter(migrations[3], 2));
    await caught(migrateUp({ ...run, migrations: failing }));
    expect(await migrateUp(run)).toEqual(names.slice(3));
    expect((await tableNames(own)).filter((name) => !name.startsWith('hcd_'))).toEqual([]);
    expect(await tableNames(own)).toContain('hcd_state');
    expect(await tableNames(content)).not.toContain('hcd_migrations');
    await migrateDown(run, names[0]);
    expect(await tableNames(content)).toEqual([]);
  });
});
