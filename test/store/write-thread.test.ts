/** Writes off the event loop on SQLite: they keep every guarantee of other writes, and no request waits for them. */
import { existsSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { Database, Tx } from '../../src/store/base/database.js';
import { openDatabase } from '../../src/store/open/open.js';
import { loadSqliteDriver } from '../../src/store/sqlite/connection.js';
import { StatementThread } from '../../src/store/sqlite/thread.js';
import { describeEachDatabase, freshSqliteUrl } from '../support/databases.js';
import { deferred } from '../support/deferred.js';
import { makeTempDir } from '../support/temp-dir.js';
import { opened, rows, run } from './opened.js';

const driver = await loadSqliteDriver();
const aside = { aside: true };

const table = 'CREATE TABLE t (id INTEGER PRIMARY KEY, n BIGINT NOT NULL, b BLOB)';
const add = (tx: Tx, id: number) => tx.run({ sql: 'UPDATE t SET n = n + 1 WHERE id = ?', params: [id] });

async function counter(url: string): Promise<Database> {
  return filled(await opened({ url }));
}

/** For tests that close it themselves. */
async function counterToClose(url: string): Promise<Database> {
  return filled(await openDatabase({ url }));
}

async function filled(db: Database): Promise<Database> {
  await run(db, table, 'INSERT INTO t VALUES (1, 0, NULL), (2, 0, NULL)');
  return db;
}

describeEachDatabase('a write aside', (database) => {
  it('carries values exactly, both ways', async () => {
    const db = await counter(await database.url());
    const large = 2n ** 62n + 1n;
    const blob = Buffer.from([0, 1, 255]);
    const made = await db.write(async (tx) => {
      const { lastId } = await tx.run({ sql: 'INSERT INTO t (id, n, b) VALUES (?, ?, ?)', params: [7, large, blob] });
      return { lastId, read: await tx.select({ sql: 'SELECT id, n, b FROM t WHERE id = 7', params: [] }) };
    }, aside);
    expect(made.read).toEqual([[7, large, blob]]);
    if (database.name === 'sqlite') expect(made.lastId).toBe(7);
    expect(await rows(db, 'SELECT id, n, b FROM t WHERE id = 7')).toEqual([[7, large, blob]]);
  });

  it('loses nothing when many run at once, aside and not, on two handles', async () => {
    const url = await database.url();
    const [one, other] = [await counter(url), await opened({ url })];
    await Promise.all(
      Array.from({ length: 40 }, (_, at) =>
        (at % 2 === 0 ? one : other).write(
          async (tx) => {
            const [[n] = []] = await tx.select({
              sql: `SELECT n FROM t WHERE id = 1${tx.dialect === 'mariadb' ? ' FOR UPDATE' : ''}`,
              params: [],
            });
            await tx.run({ sql: 'UPDATE t SET n = ? WHERE id = 1', params: [Number(n) + 1] });
          },
          { aside: at % 4 < 2 },
        ),
      ),
    );
    expect(await rows(one, 'SELECT n FROM t WHERE id = 1')).toEqual([[40]]);
  });
});

it('does not hold up the event loop', async () => {
  const db = await counter(await freshSqliteUrl());
  let ended = false;
  const write = db
    .write(
      (tx) =>
        tx.select({
          sql: 'WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 2000000) SELECT COUNT(*) FROM c',
          params: [],
        }),
      aside,
    )
    .finally(() => {
      ended = true;
    });
  let turns = 0;
  for (; !ended; turns += 1) await setImmediate();
  expect(await write).toEqual([[2_000_000]]);
  expect(turns).toBeGreaterThan(100);
});

it('is undone when the database is closed before its end', async () => {
  const url = await freshSqliteUrl();
  const db = await counterToClose(url);
  const [begun, gate] = [deferred<void>(), deferred<void>()];
  const write = db.write(async (tx) => {
    await add(tx, 1);
    begun.resolve();
    await gate.promise;
    await add(tx, 2);
  }, aside);
  const refused = expect(write).rejects.toMatchObject({ code: 'unavailable' });
  await begun.promise;
  await db.close();
  gate.resolve();
  await refused;
  expect(await rows(await opened({ url }), 'SELECT n FROM t ORDER BY id')).toEqual([[0], [0]]);
});

it('leaves no log next to the file when the database is closed', async () => {
  const url = await freshSqliteUrl();
  const db = await counterToClose(url);
  await db.write((tx) => add(tx, 1), aside);
  await db.close();
  expect(existsSync(`${url.slice('sqlite:'.length)}-wal`)).toBe(false);
  expect(await rows(await opened({ url }), 'SELECT n FROM t WHERE id = 1')).toEqual([[1]]);
});

it('is refused while its thread cannot open the file, and gets a new thread afterwards', async () => {
  const folder = await makeTempDir();
  const path = `${folder}/site.sqlite`;
  const db = await opened({ url: `sqlite:${path}`, create: true });
  await run(db, table, 'INSERT INTO t VALUES (1, 0, NULL)');
  await rename(path, `${path}.away`);
  await expect(db.write((tx) => add(tx, 1), aside)).rejects.toMatchObject({ code: 'unavailable' });
  await rename(`${path}.away`, path);
  await db.write((tx) => add(tx, 1), aside);
  expect(await rows(db, 'SELECT n FROM t WHERE id = 1')).toEqual([[1]]);
});

it('refuses a text with a NUL where the library would cut it off', async () => {
  const url = await freshSqliteUrl();
  await counter(url);
  const thread = new StatementThread({
    driver: { ...driver, keepsNul: false },
    path: url.slice('sqlite:'.length),
    writes: true,
  });
  try {
    const statement = { sql: 'UPDATE t SET b = ?', params: ['a\0b'] };
    await expect(thread.run(statement)).rejects.toMatchObject({ code: 'SQLITE_MISMATCH' });
    await expect(thread.select({ sql: 'UPDATE t SET b = ? RETURNING id', params: ['a\0b'] })).rejects.toMatchObject({
      code: 'SQLITE_MISMATCH',
    });
    expect(await thread.run({ sql: 'UPDATE t SET b = ?', params: ['ab'] })).toMatchObject({ changes: 2 });
  } finally {
    await thread.close();
  }
  await expect(thread.run({ sql: 'SELECT 1', params: [] })).rejects.toMatchObject({ code: 'unavailable' });
});
