/** The version of the database changes with every commit of any process, and with nothing else. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { arrivals } from '../../src/clock/waiting-line.js';
import type { Database } from '../../src/store/base/database.js';
import { loadSqliteDriver, openConnection } from '../../src/store/sqlite/connection.js';
import { freshSqliteUrl } from '../support/databases.js';
import { opened, run } from './opened.js';

async function withTable(url: string): Promise<Database> {
  const database = await opened({ url, create: true });
  await run(database, 'CREATE TABLE notes (id INTEGER PRIMARY KEY, text VARCHAR(20))');
  return database;
}

const add = (database: Database, id: number) => run(database, `INSERT INTO notes (id, text) VALUES (${id}, 'x')`);

/** Read again in each turn of the event loop. */
const versionOf = async ({ primary }: Database): Promise<number | undefined> => {
  await nextTurn();
  return primary.version?.();
};

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

it('is asked for again after a commit of this handle, in the same turn of the event loop too', async () => {
  const database = await withTable(await freshSqliteUrl());
  const before = await versionOf(database);
  await add(database, 1);
  expect(database.primary.version?.()).not.toBe(before);
});

const together = (work: () => void) => arrivals.receive(work, { together: true });

it.each<[name: string, isShared: boolean, tookMs: number, ask: (work: () => void) => void]>([
  ['requests that arrived together ask once', true, 5, together],
  ['requests that arrived together ask again in a turn that lasts', false, 6, together],
  [
    'a request behind another one of its connection asks for itself',
    false,
    0,
    (work) => arrivals.receive(work, { together: false }),
  ],
  ['who goes on after a wait asks for itself', false, 0, (work) => work()],
])('%s, whatever another process commits meanwhile', async (_name, isShared, tookMs, ask) => {
  const url = await freshSqliteUrl();
  const database = await withTable(url);
  const driver = await loadSqliteDriver();
  const other = openConnection({ driver, path: url.replace('sqlite:', ''), readonly: false });
  await nextTurn();
  const seen: (number | undefined)[] = [];
  const look = () => ask(() => seen.push(database.primary.version?.()));
  // The disk may take longer for the commit than one number holds.
  const elapsed = vi.spyOn(performance, 'now').mockReturnValue(1000);
  look();
  // Within the turn, as another process does it while this one works.
  other.exec("INSERT INTO notes (id, text) VALUES (9, 'x')");
  elapsed.mockReturnValue(1000 + tookMs);
  look();
  elapsed.mockRestore();
  other.close();
  expect(seen[0] === seen[1]).toBe(isShared);
});

it('is not available after the database is closed', async () => {
  const database = await withTable(await freshSqliteUrl());
  await database.close();
  expect(await versionOf(database)).toBeNaN();
});
