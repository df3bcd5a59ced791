/** The number of what was committed: it tells every commit of anybody, and nothing else. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { Database } from '../../src/store/database.js';
import { describeEachDatabase, freshSqliteUrl } from '../support/databases.js';
import { opened, run } from './opened.js';

async function withTable(url: string): Promise<Database> {
  const database = await opened({ url, create: true });
  await run(database, 'CREATE TABLE notes (id INTEGER PRIMARY KEY, text VARCHAR(20))');
  return database;
}

const add = (database: Database, id: number) => run(database, `INSERT INTO notes (id, text) VALUES (${id}, 'x')`);

/** Asked for anew in each turn of the event loop. */
const versionOf = async ({ primary }: Database): Promise<number | undefined> => {
  await nextTurn();
  return primary.version?.();
};

describeEachDatabase('the version of a database', (database) => {
  it('is only there where the database can tell it', async () => {
    const one = await withTable(await database.url());
    expect(typeof (await versionOf(one))).toBe(database.name === 'sqlite' ? 'number' : 'undefined');
  });
});

it('stays while nothing is committed, reads and transactions that are rolled back included', async () => {
  const database = await withTable(await freshSqliteUrl());
  const before = await versionOf(database);
  await database.select({ sql: 'SELECT * FROM notes', params: [] });
  await database
    .write(async (tx) => {
      await tx.run({ sql: 'INSERT INTO notes (id, text) VALUES (1, ?)', params: ['x'] });
      throw new Error('not this time');
    })
    .catch(() => undefined);
  expect(await versionOf(database)).toBe(before);
});

it('is another one after each commit, of this handle and of another one', async () => {
  const url = await freshSqliteUrl();
  const database = await withTable(url);
  const other = await opened({ url });
  const seen = [await versionOf(database)];
  await add(database, 1);
  seen.push(await versionOf(database));
  await add(other, 2);
  seen.push(await versionOf(database));
  await add(database, 3);
  seen.push(await versionOf(database));
  expect(new Set(seen).size).toBe(seen.length);
  expect(seen).not.toContain(Number.NaN);
});

it('is asked for anew after a commit of this handle, in the same turn of the event loop too', async () => {
  const database = await withTable(await freshSqliteUrl());
  const before = await versionOf(database);
  await add(database, 1);
  expect(database.primary.version?.()).not.toBe(before);
});

it('cannot be told once the database is closed', async () => {
  const database = await withTable(await freshSqliteUrl());
  await database.close();
  expect(await versionOf(database)).toBeNaN();
});
