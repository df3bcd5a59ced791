/** Turns of write transactions: so many at a time, in order, and readers are served whatever writers wait for. */
import { describe, expect, test } from 'vitest';
import type { Tx } from '../../src/store/base/database.js';
import { writeTurns } from '../../src/store/base/transaction.js';
import { openDatabase } from '../../src/store/open/open.js';
import { describeWithMariadb, freshMariadbUrl, freshSqliteUrl } from '../support/databases.js';
import { deferred } from '../support/deferred.js';

test('a write whose turn does not come in time is refused', async () => {
  const turns = writeTurns({ places: 1, wait: 20 });
  const end = await turns.take();
  await expect(turns.take()).rejects.toMatchObject({
    ...{ code: 'unavailable', details: { retryAfter: 5 } },
    message: 'The write waited 0.02 s for its turn: other writes take too long',
  });
  end();
  (await turns.take())();
});

describe('writers to SQLite', () => {
  test('that stand in line let the event loop do other work', async () => {
    const db = await openDatabase({ url: await freshSqliteUrl() });
    let turns = 0;
    const count = setInterval(() => {
      turns += 1;
    }, 0);
    const work = async (tx: Tx): Promise<void> => {
      const began = performance.now();
      while (performance.now() - began < 4) await tx.select({ sql: 'SELECT 1', params: [] });
    };
    await Promise.all(Array.from({ length: 30 }, () => db.write(work)));
    clearInterval(count);
    // Each turn of the loop has time for two such transactions at most.
    expect(turns).toBeGreaterThanOrEqual(14);
    await db.close();
  });
});

describeWithMariadb('writers to MariaDB', () => {
  test('that wait for one lock leave connections to readers', async () => {
    const url = await freshMariadbUrl();
    const db = await openDatabase({ url });
    const other = await openDatabase({ url });
    await db.write(async (tx) => {
      await tx.run({ sql: 'CREATE TABLE t (id INT PRIMARY KEY, n INT NOT NULL)', params: [] });
      await tx.run({ sql: 'INSERT INTO t VALUES (1, 0)', params: [] });
    });
    const raise = { sql: 'UPDATE t SET n = n + 1 WHERE id = 1', params: [] };
    const held = deferred<void>();
    const release = deferred<void>();
    const holder = other.write(async (tx) => {
      await tx.run(raise);
      held.resolve();
      await release.promise;
    });
    await held.promise;
    const writers = Array.from({ length: 30 }, () => db.write((tx) => tx.run(raise)));
    for (let reads = 0; reads < 20; reads += 1) {
      expect(Number((await db.select({ sql: 'SELECT n FROM t', params: [] }))[0]?.[0])).toBe(0);
    }
    release.resolve();
    await holder;
    await Promise.all(writers);
    expect(Number((await db.select({ sql: 'SELECT n FROM t', params: [] }))[0]?.[0])).toBe(31);
    await Promise.all([db.close(), other.close()]);
  });
});
