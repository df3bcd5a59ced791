/** Values on their way to and from the database: exact on both. */
import { expect, it } from 'vitest';
import { servingLimits } from '../../src/store/base/limits.js';
import { describeEachDatabase, describeWithMariadb, freshMariadbUrl } from '../support/databases.js';
import { opened, rows, run } from './opened.js';

describeEachDatabase('values', (database) => {
  it('come back as they went in', async () => {
    const db = await opened({ url: await database.url() });
    await run(
      db,
      'CREATE TABLE v (id INTEGER PRIMARY KEY, i BIGINT, r DOUBLE PRECISION, t VARCHAR(100), d DECIMAL(20,4))',
    );
    const insert = 'INSERT INTO v (id, i, r, t, d) VALUES (?, ?, ?, ?, ?)';
    const values = [
      [1, 9007199254740991, 1.5, 'é😀\u2028', 2.25],
      [2, -5, -0.1, '', 0],
      [3, null, null, null, null],
      [4, 0, 3, '5', 12],
    ];
    await db.write(async (tx) => {
      for (const params of values) await tx.run({ sql: insert, params });
    });
    expect(await rows(db, 'SELECT * FROM v ORDER BY id')).toEqual(values);
    expect(await db.write((tx) => tx.select({ sql: 'SELECT * FROM v ORDER BY id', params: [] }))).toEqual(values);
    expect(await db.select({ sql: 'SELECT * FROM v ORDER BY id', params: [], heavy: true })).toEqual(values);
    expect(await db.primary.select({ sql: 'SELECT * FROM v ORDER BY id', params: [] })).toEqual(values);
  });

  it('are exact beyond the integers that a number holds', async () => {
    const db = await opened({ url: await database.url() });
    await run(db, 'CREATE TABLE v (i BIGINT)', 'INSERT INTO v VALUES (9007199254740993), (-9223372036854775808), (7)');
    const sql = 'SELECT i FROM v ORDER BY i';
    const expected = [[-9223372036854775808n], [7], [9007199254740993n]];
    expect(await rows(db, sql)).toEqual(expected);
    expect(await rows(db, sql)).toEqual(expected);
    expect(await db.select({ sql, params: [], heavy: true })).toEqual(expected);
  });

  it('do not become fractions in a text column', async () => {
    const db = await opened({ url: await database.url() });
    await run(db, 'CREATE TABLE v (t VARCHAR(10))');
    await db.write((tx) => tx.run({ sql: 'INSERT INTO v VALUES (?)', params: [5] }));
    expect(await rows(db, 'SELECT t FROM v')).toEqual([['5']]);
  });

  it('are bytes in a blob', async () => {
    const db = await opened({ url: await database.url() });
    await run(db, 'CREATE TABLE v (b BLOB)', "INSERT INTO v VALUES (x'00ff10')");
    expect(await rows(db, 'SELECT b FROM v')).toEqual([[Buffer.from([0, 255, 16])]]);
    expect(await db.select({ sql: 'SELECT b FROM v', params: [], heavy: true })).toEqual([[Buffer.from([0, 255, 16])]]);
  });
});

describeWithMariadb('values of MariaDB', () => {
  it('are plain: dates as text, JSON as text, bits as bytes, sets as text', async () => {
    const db = await opened({ url: await freshMariadbUrl() });
    await run(
      db,
      `CREATE TABLE v (d DATE, dt DATETIME, ts TIMESTAMP(3) NULL, t TIME, j JSON, b BIT(1), s SET('x','y'), e ENUM('p','q'), y YEAR, z DATETIME)`,
      `INSERT INTO v VALUES ('2026-02-03', '2026-02-03 04:05:06', '2026-02-03 04:05:06.789', '04:05:06', '{"a":1}', 1, 'x,y', 'q', 2026, '0000-00-00 00:00:00')`,
    );
    const expected = [
      [
        '2026-02-03',
        '2026-02-03 04:05:06',
        '2026-02-03 04:05:06.789',
        '04:05:06',
        '{"a":1}',
        Buffer.from([1]),
        'x,y',
        'q',
        2026,
        '0000-00-00 00:00:00',
      ],
    ];
    expect(await rows(db, 'SELECT * FROM v')).toEqual(expected);
  });

  it('come over a session with the settings that the store relies on', async () => {
    const db = await opened({ url: await freshMariadbUrl(), limits: servingLimits });
    const names = [
      'tx_isolation',
      'time_zone',
      'innodb_lock_wait_timeout',
      'idle_transaction_timeout',
      'wait_timeout',
      'max_statement_time',
      'character_set_client',
      'character_set_results',
    ];
    const sql = `SELECT ${names.map((name) => `@@session.${name}`).join(', ')}`;
    const expected = [['READ-COMMITTED', '+00:00', 3, 30, 600, 3, 'utf8mb4', 'utf8mb4']];
    expect(await rows(db, sql)).toEqual(expected);
    expect(await db.write((tx) => tx.select({ sql, params: [] }))).toEqual(expected);
    const [[mode]] = (await rows(db, 'SELECT @@session.sql_mode')) as [[string]];
    expect(mode.split(',').sort()).toEqual([
      'ERROR_FOR_DIVISION_BY_ZERO',
      'NO_ENGINE_SUBSTITUTION',
      'STRICT_ALL_TABLES',
      'STRICT_TRANS_TABLES',
    ]);
  });
});
