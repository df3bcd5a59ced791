/**
 * A copy that dies at any point is continued by the same command and ends with every row: before and after each commit, in
 * the middle of the migrations, and after the last commit, when the copy is complete and the process could not say so.
 */
import { expect, test } from 'vitest';
import { migrationRun } from '../../../commands/open-store.js';
import { AppError } from '../../../src/errors/app-error.js';
import { readShapes } from '../../../src/operations/copy-tables/read-shapes.js';
import type { Database } from '../../../src/store/base/database.js';
import { maintenanceLimits } from '../../../src/store/base/limits.js';
import { migrateUp } from '../../../src/store/migrations/migrate.js';
import { openStore } from '../../../src/store/open/open.js';
import { describeEachDatabase, freshSqliteUrl } from '../../support/databases.js';
import { change, columnsOf, copy, makeOwnStore, prefix, reportOf, rowsOf, withDatabase } from './stores.js';

interface Death {
  /** The number of the write transaction in which the process dies; 0 = never. */
  readonly at: number;
  readonly when: 'before its commit' | 'after its commit';
}

/** Stores of which the one at `url` dies: no write after that reaches the database. Counts the writes. */
function dying(url: string, death: Death) {
  let writes = 0;
  let isDead = false;
  const die = (): never => {
    isDead = true;
    throw new AppError('unavailable');
  };
  const write =
    (target: Database): Database['write'] =>
    async (work, options) => {
      if (isDead) die();
      writes += 1;
      const isLast = writes === death.at;
      const done = await target.write(async (tx) => {
        const result = await work(tx);
        if (isLast && death.when === 'before its commit') die();
        return result;
      }, options);
      if (isLast) die();
      return done;
    };
  const open: typeof openStore = async (options) => {
    const store = await openStore(options);
    if (options.databaseUrl !== url) return store;
    const watched = new Proxy(store.content, {
      get(target, name) {
        if (name === 'write') return write(target);
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    return { ...store, content: watched, own: watched };
  };
  return { open, writes: () => writes };
}

async function makeSource(): Promise<string> {
  const source = await freshSqliteUrl();
  await makeOwnStore(source, {
    site_content: [{ id: 4 }, { id: 5, pagetitle: 'Five' }, { id: 900, pagetitle: 'Nine hundred' }],
    site_tmplvars: [{ id: 3, name: 'mood', type: 'text' }],
    site_tmplvar_contentvalues: [{ tmplvarid: 3, contentid: 5, value: 'glad' }],
  });
  await change(source, [
    'CREATE TABLE modx_shop (id INTEGER NOT NULL PRIMARY KEY, title VARCHAR(20) NOT NULL)',
    "INSERT INTO modx_shop (id, title) VALUES (1, 'one'), (7, 'seven')",
    'CREATE TABLE modx_counted (id INTEGER PRIMARY KEY AUTOINCREMENT, code VARCHAR(20), kind VARCHAR(9), UNIQUE (code, kind))',
    'CREATE INDEX modx_counted_kind ON modx_counted (kind)',
    'INSERT INTO modx_counted (id) VALUES (1), (70)',
    'DELETE FROM modx_counted WHERE id = 70',
    'ALTER TABLE modx_site_content ADD COLUMN added TEXT',
    'CREATE TABLE modx_keyless (title VARCHAR(20) NOT NULL)',
    "INSERT INTO modx_keyless (title) VALUES ('same'), ('same')",
  ]);
  return source;
}

/** The copy itself compares every table; these are compared by the test. */
const compared = ['site_content', 'site_tmplvar_contentvalues', 'system_settings', 'shop', 'keyless'];

async function expectSame(source: string, target: string): Promise<void> {
  for (const table of compared.map((name) => prefix + name)) {
    const columns = await columnsOf(source, table);
    expect([table, await rowsOf(target, table, columns)]).toEqual([table, await rowsOf(source, table, columns)]);
  }
}

/** Tables, columns, indexes and counters. */
function schemaOf(url: string): Promise<unknown> {
  return withDatabase(url, async ({ primary }) => [...(await readShapes(primary, prefix))]);
}

describeEachDatabase('a copy that dies', (database) => {
  test('is continued after each of many deaths and ends with every row, index and counter', async () => {
    const [source, target, whole] = [await makeSource(), await database.url(), await database.url()];
    expect((await copy(source, whole)).code).toBe(0);
    let deaths = 0;
    for (let at = 1; ; at += deaths < 3 ? 1 : 45) {
      const when = deaths % 2 === 0 ? 'after its commit' : 'before its commit';
      const { open } = dying(target, { at, when });
      const { code, error } = await copy(source, target, { openStore: open });
      if (code === 0) break;
      deaths += 1;
      expect([at, when, code, error?.code]).toEqual([at, when, 3, 'unavailable']);
    }
    expect(deaths).toBeGreaterThan(4);
    await expectSame(source, target);
    expect(await schemaOf(target)).toEqual(await schemaOf(whole));
  });

  test('after its last commit is reported as complete by the same command', async () => {
    const [source, target] = [await makeSource(), await database.url()];
    const elsewhere = await database.url();
    const counting = dying(elsewhere, { at: 0, when: 'after its commit' });
    expect((await copy(source, elsewhere, { openStore: counting.open })).code).toBe(0);
    const { open } = dying(target, { at: counting.writes(), when: 'after its commit' });
    expect((await copy(source, target, { openStore: open })).code).toBe(3);
    const again = await copy(source, target);
    expect([again.error, again.code, again.data?.complete]).toEqual([undefined, 0, true]);
    expect(again.data?.notes).toContain('This copy was completed before: nothing was written.');
    expect(reportOf(again, 'modx_site_content')).toMatchObject({ source_rows: 3, copied: 3, resumed_rows: 3 });
    await expectSame(source, target);
  });

  test.each([10, 15])('in the middle of its migrations is continued (%i steps done)', async (steps) => {
    const [source, target] = [await makeSource(), await database.url()];
    const store = await openStore({ databaseUrl: target, prefix, limits: maintenanceLimits });
    const run = migrationRun(store);
    await migrateUp({ ...run, migrations: run.migrations.slice(0, steps) });
    await store.close();
    expect((await copy(source, target)).code).toBe(0);
    await expectSame(source, target);
  });
});
