/** The write transaction: all or nothing, repeated on deadlock, outcome found after a lost commit. */
import { expect, it } from 'vitest';
import type { Database, ModelConnection, Tx } from '../../src/store/base/database.js';
import { openDatabase } from '../../src/store/open/open.js';
import { cuttingProxy } from '../support/cutting-proxy.js';
import {
  describeEachDatabase,
  describeWithMariadb,
  freshMariadbUrl,
  freshSqliteUrl,
  type TestDatabase,
} from '../support/databases.js';
import { deferred } from '../support/deferred.js';
import { opened, rows, run } from './opened.js';

async function counter(database: TestDatabase): Promise<Database> {
  const db = await opened({ url: await database.url() });
  await run(db, 'CREATE TABLE t (id INTEGER PRIMARY KEY, n INTEGER NOT NULL)', 'INSERT INTO t VALUES (1, 0), (2, 0)');
  return db;
}

const add = (tx: Tx, id: number) => tx.run({ sql: 'UPDATE t SET n = n + 1 WHERE id = ?', params: [id] });

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describeEachDatabase('a write', (database) => {
  it.each([
    ['on the connection of the writer', {}],
    ['aside', { aside: true }],
  ])('takes no statement after its work has failed: %s', async (_name, options) => {
    const db = await counter(database);
    const [gate, done] = [deferred<void>(), deferred<unknown>()];
    const failed = db.write(async (tx) => {
      const late = async () => {
        await gate.promise;
        await add(tx, 1);
      };
      const fails = async () => {
        await add(tx, 2);
        throw new TypeError('a fault of the work');
      };
      await Promise.all([late().then(done.resolve, done.resolve), fails()]);
    }, options);
    await expect(failed).rejects.toThrow('a fault of the work');
    gate.resolve();
    expect(await done.promise).toBeInstanceOf(Error);
    expect(await rows(db, 'SELECT n FROM t ORDER BY id')).toEqual([[0], [0]]);
  });

  it('takes no statement of a model after its work has failed', async () => {
    const db = await counter(database);
    const ended = deferred<unknown>();
    const failed = db.write(async (tx) => {
      const insert = async ({ sequelize, transaction }: ModelConnection) => {
        await pause(30);
        await sequelize.getQueryInterface().bulkInsert('t', [{ id: 7, n: 7 }], { transaction });
      };
      void tx.query('t', insert).then(ended.resolve, ended.resolve);
      throw new TypeError('a fault of the work');
    });
    await expect(failed).rejects.toThrow('a fault of the work');
    expect(await ended.promise).toBeInstanceOf(Error);
    expect(await rows(db, 'SELECT n FROM t ORDER BY id')).toEqual([[0], [0]]);
  });

  it('gives the result of the work, and its statements see one another', async () => {
    const db = await counter(database);
    const seen = await db.write(async (tx) => {
      expect((await add(tx, 1)).changes).toBe(1);
      return tx.select({ sql: 'SELECT n FROM t WHERE id = ?', params: [1] });
    });
    expect(seen).toEqual([[1]]);
    expect(await rows(db, 'SELECT n FROM t ORDER BY id')).toEqual([[1], [0]]);
  });

  it('leaves nothing when the work fails, and passes its error on as it is', async () => {
    const db = await counter(database);
    const error = new TypeError('a fault of the work');
    const failed = db.write(async (tx) => {
      await add(tx, 1);
      throw error;
    });
    await expect(failed).rejects.toBe(error);
    expect(await rows(db, 'SELECT n FROM t ORDER BY id')).toEqual([[0], [0]]);
  });

  it.each([
    ['a transaction of its own statements', {}, 1],
    ['none where one statement is all of it', { isOneStatement: true }, 0],
  ])('begins on MariaDB %s', async (_name, options, expected) => {
    const db = await counter(database);
    const inside = await db.write(async (tx) => {
      await add(tx, 1);
      if (tx.dialect === 'sqlite') return [[expected]];
      return tx.select({ sql: 'SELECT @@in_transaction', params: [] });
    }, options);
    expect(inside).toEqual([[expected]]);
    expect(await rows(db, 'SELECT n FROM t WHERE id = 1')).toEqual([[1]]);
  });

  it('is repeated on a busy error also where one statement is all of it', async () => {
    const db = await counter(database);
    const busy = Object.assign(new Error(), db.dialect === 'sqlite' ? { code: 'SQLITE_BUSY' } : { errno: 1020 });
    let attempts = 0;
    await db.write(
      async (tx) => {
        attempts += 1;
        if (attempts < 3) throw busy;
        await add(tx, 1);
      },
      { isOneStatement: true },
    );
    expect([attempts, await rows(db, 'SELECT n FROM t WHERE id = 1')]).toEqual([3, [[1]]]);
  });

  it('is not seen by reads before it is committed', async () => {
    const db = await counter(database);
    await db.write(async (tx) => {
      await add(tx, 1);
      expect(await rows(db, 'SELECT n FROM t WHERE id = 1')).toEqual([[0]]);
    });
    expect(await rows(db, 'SELECT n FROM t WHERE id = 1')).toEqual([[1]]);
  });

  it('loses nothing when fifty run at once', async () => {
    const db = await counter(database);
    await Promise.all(
      Array.from({ length: 50 }, () =>
        db.write(async (tx) => {
          const lock = tx.dialect === 'mariadb' ? ' FOR UPDATE' : '';
          const [row] = await tx.select({ sql: `SELECT n FROM t WHERE id = 1${lock}`, params: [] });
          await tx.run({ sql: 'UPDATE t SET n = ? WHERE id = 1', params: [Number(row?.[0]) + 1] });
        }),
      ),
    );
    expect(await rows(db, 'SELECT n FROM t WHERE id = 1')).toEqual([[50]]);
  });

  it('is repeated from the start on a busy error, at most eight times', async () => {
    const db = await counter(database);
    let attempts = 0;
    const busy = Object.assign(new Error(), db.dialect === 'sqlite' ? { code: 'SQLITE_BUSY' } : { errno: 1020 });
    await db.write(async (tx) => {
      await add(tx, 1);
      attempts += 1;
      if (attempts < 3) throw busy;
    });
    expect(attempts).toBe(3);
    expect(await rows(db, 'SELECT n FROM t WHERE id = 1')).toEqual([[1]]);

    attempts = 0;
    const never = db.write(async () => {
      attempts += 1;
      throw busy;
    });
    await expect(never).rejects.toMatchObject({ code: 'unavailable', cause: busy });
    expect(attempts).toBe(8);
  });

  it('is refused as unavailable once the database is closed, as reads are', async () => {
    const db = await openDatabase({ url: await database.url() });
    await db.close();
    await expect(db.write((tx) => add(tx, 1))).rejects.toMatchObject({ code: 'unavailable' });
    await expect(rows(db, 'SELECT 1')).rejects.toMatchObject({ code: 'unavailable' });
  });
});

it.each([
  ['on the connection of the writer', {}],
  ['aside', { aside: true }],
])('keeps nothing of work that goes on after a full disk of SQLite: %s', async (_name, options) => {
  const db = await counter({ name: 'sqlite', url: freshSqliteUrl });
  await run(db, 'CREATE TABLE large (b BLOB NOT NULL)');
  const size = (tx: Tx, pages: number) => tx.select({ sql: `PRAGMA max_page_count = ${pages}`, params: [] });
  const failed = db.write(async (tx) => {
    await add(tx, 1);
    await size(tx, 1);
    const insert = { sql: 'INSERT INTO large VALUES (zeroblob(100000))', params: [] };
    await expect(tx.run(insert)).rejects.toMatchObject({ code: 'unavailable' });
    // SQLite has undone the first change and ended the transaction.
    await size(tx, 1_000_000).catch(() => undefined);
    await add(tx, 2).catch(() => undefined);
  }, options);
  await expect(failed).rejects.toMatchObject({ code: 'unavailable' });
  expect(await rows(db, 'SELECT n FROM t ORDER BY id')).toEqual([[0], [0]]);
});

describeWithMariadb('a write on MariaDB', () => {
  it('is repeated when it is the victim of a deadlock', async () => {
    const db = await counter({ name: 'mariadb', url: freshMariadbUrl });
    const meeting = barrier(2);
    let attempts = 0;
    const cross = (first: number, second: number) =>
      db.write(async (tx) => {
        attempts += 1;
        await add(tx, first);
        // Only the first attempts meet; a repeated one must not wait for a partner who is done.
        await meeting();
        await add(tx, second);
      });
    await Promise.all([cross(1, 2), cross(2, 1)]);
    expect(attempts).toBe(3);
    expect(await rows(db, 'SELECT n FROM t ORDER BY id')).toEqual([[2], [2]]);
  });

  it('does not commit what is left after a deadlock that the work caught', async () => {
    const db = await counter({ name: 'mariadb', url: freshMariadbUrl });
    const meeting = barrier(2);
    const cross = (first: number, second: number) =>
      db.write(async (tx) => {
        await add(tx, first);
        await meeting();
        await add(tx, second).catch(() => undefined);
      });
    await Promise.all([cross(1, 2), cross(2, 1)]);
    expect(await rows(db, 'SELECT n FROM t ORDER BY id')).toEqual([[2], [2]]);
  });

  it.each([
    ['took effect', true],
    ['did not', false],
  ])('finds out whether a COMMIT whose answer was lost %s', async (_name, forwarded) => {
    const url = new URL(await freshMariadbUrl());
    const direct = await opened({ url: url.href });
    await run(direct, 'CREATE TABLE t (id INTEGER PRIMARY KEY)');
    const proxy = await cuttingProxy({ port: Number(url.port), forwarded });
    url.port = String(proxy.port);
    const db = await opened({ url: url.href });
    const insert = (tx: Tx) => tx.run({ sql: 'INSERT INTO t VALUES (5)', params: [] });

    proxy.cutNextCommit();
    const kept = await db.write(async (tx) => `inserted ${(await insert(tx)).changes}`, {
      outcome: async (tx) =>
        (await tx.select({ sql: 'SELECT id FROM t WHERE id = 5', params: [] })).length > 0 ? 'found' : undefined,
    });
    expect(kept).toBe(forwarded ? 'found' : 'inserted 1');
    expect(await rows(direct, 'SELECT id FROM t')).toEqual([[5]]);

    await run(direct, 'DELETE FROM t');
    proxy.cutNextCommit();
    await expect(db.write(insert)).rejects.toMatchObject({ code: 'unavailable' });
    expect(await rows(direct, 'SELECT id FROM t')).toEqual(forwarded ? [[5]] : []);
  });
});

/** A function on which the first `count` callers wait for one another; later ones pass. */
function barrier(count: number): () => Promise<void> {
  let open = () => {};
  const full = new Promise<void>((resolve) => {
    open = resolve;
  });
  let came = 0;
  return () => {
    came += 1;
    if (came === count) open();
    return full;
  };
}
