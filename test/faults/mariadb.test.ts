/** A MariaDB that is killed, frozen or cut off: refusals in time, and recovery without reopening. */
import { beforeAll, expect, it } from 'vitest';
import { toAppError } from '../../src/store/base/errors.js';
import { openDatabase } from '../../src/store/open/open.js';
import { opened, openedForServing, rows, run } from '../store/opened.js';
import {
  describeWithMariadb,
  describeWithOwnMariadb,
  executeOnMariadb,
  freshMariadbUrl,
  type MariadbServer,
  startMariadb,
} from '../support/databases.js';

const anyReplica = { wanted: () => 0, reached: { sql: 'SELECT 0', params: [] } };

describeWithOwnMariadb('a MariaDB server that fails', () => {
  let server: MariadbServer;
  beforeAll(async () => {
    server = await startMariadb();
    await executeOnMariadb(server.url, ['CREATE DATABASE site']);
  });
  const open = () => openedForServing({ url: `${server.url}/site` });

  it('is reported unavailable while it is dead, and works again without reopening', async () => {
    const db = await open();
    await run(db, 'CREATE TABLE killed (n INTEGER)', 'INSERT INTO killed VALUES (1)');
    // Several pooled connections, all of which will be dead.
    await Promise.all(Array.from({ length: 8 }, () => rows(db, 'SELECT n, SLEEP(0.02) FROM killed')));
    await server.kill();

    const started = performance.now();
    for (const refused of [
      rows(db, 'SELECT n FROM killed'),
      db.write((tx) => tx.run({ sql: 'INSERT INTO killed VALUES (2)', params: [] })),
    ]) {
      await expect(refused).rejects.toMatchObject({ code: 'unavailable', details: { retryAfter: 5 } });
    }
    await expect(db.ping()).rejects.toMatchObject({ code: 'database_unreachable' });
    expect(performance.now() - started).toBeLessThan(5000);

    await server.restart();
    expect(await rows(db, 'SELECT n FROM killed')).toEqual([[1]]);
    await run(db, 'INSERT INTO killed VALUES (3)');
    expect(await rows(db, 'SELECT n FROM killed')).toEqual([[1], [3]]);
    await db.ping();
  });

  it('works at once after a restart between two requests', async () => {
    const db = await open();
    await run(db, 'CREATE TABLE restarted (n INTEGER)');
    await Promise.all(Array.from({ length: 5 }, () => rows(db, 'SELECT SLEEP(0.02)')));
    await server.restart();
    await run(db, 'INSERT INTO restarted VALUES (1)');
    await Promise.all(
      Array.from({ length: 10 }, async () => expect(await rows(db, 'SELECT n FROM restarted')).toEqual([[1]])),
    );
  });

  it('is reported unavailable within six seconds while it is frozen, and works afterwards', async () => {
    const db = await open();
    await run(db, 'CREATE TABLE frozen (n INTEGER)', 'INSERT INTO frozen VALUES (1)');
    await Promise.all(Array.from({ length: 3 }, () => rows(db, 'SELECT SLEEP(0.02)')));
    await server.freeze();
    const started = performance.now();
    try {
      const refused = [
        ...Array.from({ length: 30 }, () => rows(db, 'SELECT n FROM frozen')),
        db.write((tx) => tx.run({ sql: 'INSERT INTO frozen VALUES (2)', params: [] })),
      ];
      const outcomes = await Promise.allSettled(refused);
      expect(outcomes).toEqual(
        outcomes.map(() => ({ status: 'rejected', reason: expect.objectContaining({ code: 'unavailable' }) })),
      );
      expect(performance.now() - started).toBeLessThan(6000);
    } finally {
      server.thaw();
    }
    await expect.poll(() => rows(db, 'SELECT n FROM frozen').catch(() => [])).toEqual([[1]]);
  });

  it('answers a ping while long statements hold every connection', async () => {
    const db = await open();
    const held = Array.from({ length: 20 }, () => rows(db, 'SELECT SLEEP(1)').catch(() => []));
    const first = await Promise.race([
      ...held.map((answer) => answer.then(() => 'a statement')),
      Promise.all([db.ping(), db.ping(), db.ping()]).then(() => 'the ping'),
    ]);
    expect(first).toBe('the ping');
    await Promise.all(held);
  });

  it('lets the program close while it is frozen', async () => {
    const db = await openDatabase({ url: `${server.url}/site` });
    await Promise.all(Array.from({ length: 3 }, () => rows(db, 'SELECT SLEEP(0.02)')));
    await server.freeze();
    const hanging = rows(db, 'SELECT 1').catch(toAppError);
    await new Promise((sent) => setImmediate(sent));
    const started = performance.now();
    try {
      await db.close();
      expect(performance.now() - started).toBeLessThan(5000);
      expect(await hanging).toMatchObject({ code: 'unavailable' });
    } finally {
      server.thaw();
    }
  });

  it('keeps a bounded number of prepared statements', async () => {
    const db = await open();
    for (let at = 0; at < 600; at += 1) await rows(db, `SELECT ${at} + ?`, 1);
    const [status] = await rows(db, `SHOW GLOBAL STATUS LIKE 'Prepared_stmt_count'`);
    expect(Number(status?.[1])).toBeGreaterThan(50);
    // 128 on each connection that is open; one at a time was in use.
    expect(Number(status?.[1])).toBeLessThanOrEqual(2 * 128);
  });
});

describeWithMariadb('a connection to MariaDB', () => {
  it('is replaced without a failure when the server kills it', async () => {
    const url = await freshMariadbUrl();
    const db = await opened({ url });
    const ids = await Promise.all(Array.from({ length: 3 }, () => rows(db, 'SELECT CONNECTION_ID(), SLEEP(0.05)')));
    await executeOnMariadb(url, [...new Set(ids.map(([row]) => `KILL ${row?.[0]}`))]);
    expect(await rows(db, 'SELECT 1')).toEqual([[1]]);
    expect(await db.write((tx) => tx.select({ sql: 'SELECT 2', params: [] }))).toEqual([[2]]);
  });

  it('uses a socket file when the URL names one', async () => {
    const url = new URL(await freshMariadbUrl());
    const [found] = await rows(await opened({ url: url.href }), 'SELECT @@socket');
    const db = await opened({ url: `mariadb://root@${url.pathname}?socketPath=${String(found?.[0])}` });
    expect(await rows(db, 'SELECT SUBSTRING_INDEX(USER(), ?, -1)', '@')).toEqual([['localhost']]);
  });

  it('cancels a statement that exceeds its time limit', async () => {
    const db = await openedForServing({ url: await freshMariadbUrl() });
    const slow = 'SELECT COUNT(*) FROM seq_1_to_100000000 a JOIN seq_1_to_100000000 b';
    const started = performance.now();
    await expect(rows(db, slow)).rejects.toMatchObject({ code: 'unavailable' });
    expect(performance.now() - started).toBeLessThan(4500);
  });

  it('fails after the wait limit when the pool is exhausted', async () => {
    const db = await openedForServing({ url: await freshMariadbUrl() });
    const slow = Array.from({ length: 10 }, () => rows(db, 'SELECT SLEEP(3.5)').catch(toAppError));
    const started = performance.now();
    await expect(rows(db, 'SELECT 1')).rejects.toMatchObject({ code: 'unavailable' });
    expect(performance.now() - started).toBeLessThan(4000);
    await Promise.all(slow);
  });

  it('reads from a replica and writes to the primary', async () => {
    const primary = await freshMariadbUrl();
    const replica = await freshMariadbUrl();
    for (const [url, name] of [
      [primary, 'primary'],
      [replica, 'replica'],
    ] as const) {
      await executeOnMariadb(url, ['CREATE TABLE t (name VARCHAR(20))', `INSERT INTO t VALUES ('${name}')`]);
    }
    const db = await opened({ url: primary, readUrls: [replica] });
    const statement = { sql: 'SELECT name FROM t', params: [] };
    expect(await db.replicas?.(anyReplica).select(statement)).toEqual([['replica']]);
    expect(await db.select(statement)).toEqual([['primary']]);
    expect(await db.primary.select(statement)).toEqual([['primary']]);
    expect(await db.write((tx) => tx.select(statement))).toEqual([['primary']]);
  });

  it('falls back to the primary when the replica is down', async () => {
    const url = await freshMariadbUrl();
    const down = new URL(url);
    down.port = '1';
    const db = await opened({ url, readUrls: [down.href] });
    const reader = db.replicas?.(anyReplica) ?? db;
    expect(await rows(reader, 'SELECT 1')).toEqual([[1]]);
  });
});
