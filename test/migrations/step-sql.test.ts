/** The SQL that is shown of steps: it is what a run sends, and showing it changes nothing. */
import { expect, test } from 'vitest';
import { migrations } from '../../migrations/list.js';
import {
  type Direction,
  type MigrationRun,
  migrateDown,
  migrateUp,
  stepsToDo,
} from '../../src/store/migrations/migrate.js';
import type { Migration, MigrationContext } from '../../src/store/migrations/migration.js';
import { stepSql } from '../../src/store/migrations/step-sql.js';
import { describeEachDatabase } from '../support/databases.js';
import { migratedStore, open, ownStore, prefix, schemaDump, tableNames } from './store.js';

/** The statements of all steps that a run would take, in order. */
async function shown(run: MigrationRun, direction: Direction, to?: string): Promise<string[]> {
  const sql: string[] = [];
  for (const step of await stepsToDo(run, direction, to)) sql.push(...(await stepSql(run, step, direction)));
  return sql;
}

/** The steps, which note what they really send. */
function noting(sent: string[]): Migration[] {
  const watch = (context: MigrationContext): MigrationContext => ({
    ...context,
    run: async (sql) => {
      sent.push(sql);
      await context.run(sql);
    },
    change: (work) =>
      context.change((real, transaction) => {
        const query = real.sequelize.query.bind(real.sequelize);
        const noted = (...given: Parameters<typeof query>) => {
          sent.push(String(given[0]));
          return query(...given);
        };
        const sequelize = Object.create(real.sequelize, { query: { value: noted } });
        return work(Object.create(real, { sequelize: { value: sequelize } }), transaction);
      }),
  });
  return migrations.map((step) => ({
    ...step,
    up: (context) => step.up(watch(context)),
    down: (context) => step.down(watch(context)),
  }));
}

describeEachDatabase('the SQL of steps', (database) => {
  test('is what a run then sends, up and down, and leaves the database as it is', async () => {
    const run = await ownStore(await database.url());
    const up = await shown(run, 'up');
    expect(await tableNames(run.own)).toEqual([]);
    const sent: string[] = [];
    const noted = { ...run, migrations: noting(sent) };
    await migrateUp(noted);
    expect(up).toEqual(sent);
    expect(up.length).toBeGreaterThan(migrations.length);
    expect(await shown(run, 'up')).toEqual([]);

    const before = await schemaDump(run.own);
    const first = migrations[0]?.name;
    const down = await shown(run, 'down', first);
    const last = await shown(run, 'down');
    expect(last.length).toBeLessThan(down.length);
    expect(last).toEqual(down.slice(0, last.length));
    expect(await schemaDump(run.own)).toEqual(before);
    sent.length = 0;
    await migrateDown(noted, first);
    expect(down).toEqual(sent);
  });

  test('makes the same tables when a person executes it', async () => {
    const [byHand, byProgram] = [await ownStore(await database.url()), await ownStore(await database.url())];
    const statements = await shown(byHand, 'up');
    await byHand.own.write(async (tx) => {
      for (const sql of statements) await tx.run({ sql, params: [] });
    });
    await migrateUp(byProgram);
    const { hcd_migrations: _ledger, ...tables } = await schemaDump(byProgram.own);
    expect(await schemaDump(byHand.own)).toMatchObject(
      Object.fromEntries(Object.entries(tables).filter(([name]) => !name.startsWith('sqlite_'))),
    );
  });

  test('of an attached site touches tables with the prefix hcd_ only', async () => {
    const content = await open(await database.url());
    await content.write((tx) =>
      tx.run({ sql: `CREATE TABLE ${prefix}site_content (id INTEGER PRIMARY KEY)`, params: [] }),
    );
    const run: MigrationRun = { content, own: content, kind: 'attached', prefix, migrations, version: '1.2.3' };
    const statements = await shown(run, 'up');
    expect(statements.length).toBeGreaterThan(0);
    expect(statements.filter((sql) => sql.includes(prefix))).toEqual([]);
    expect(await tableNames(content)).toEqual([`${prefix}site_content`]);
    await migrateUp(run);
    expect((await shown(run, 'down', migrations[0]?.name)).filter((sql) => sql.includes(prefix))).toEqual([]);
  });

  test('of a step that reads shows what the step does to this database', async () => {
    const run = await migratedStore(await database.url());
    const reading: Migration = {
      name: '2099-01-01T01-own-reading',
      target: 'own',
      up: async ({ select, run: send }) => {
        const [row] = await select('SELECT COUNT(*) FROM hcd_migrations');
        await send(`CREATE TABLE hcd_made_${row?.[0]} (id INTEGER)`);
      },
      down: async () => {},
    };
    expect(await stepSql(run, reading, 'up')).toEqual([`CREATE TABLE hcd_made_${migrations.length} (id INTEGER)`]);
  });
});
