/** Which SQLite libraries are accepted, and how every connection is set up. */
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { checkSqliteVersion, loadSqliteDriver, openConnection } from '../../src/store/sqlite/connection.js';
import { loadNodeDriver, type SqliteDriver } from '../../src/store/sqlite/driver.js';
import { sqliteCodeName } from '../../src/store/sqlite/failure.js';
import { freshSqliteUrl } from '../support/databases.js';

it.each(['3.51.3', '3.51.10', '3.52.1', '3.53.2', '3.54.0', '4.0.0'])('accepts SQLite %s', (version) => {
  expect(() => checkSqliteVersion({ name: 'x', version })).not.toThrow();
});

it.each(['3.51.2', '3.51.0', '3.50.9', '3.40.1', '3.7.0', '3.9.99', '2.8.17', '', 'unknown'])(
  'refuses SQLite %j',
  (version) => {
    expect(() => checkSqliteVersion({ name: 'better-sqlite3', version })).toThrow(
      `SQLite ${version} inside better-sqlite3 can damage a file that several processes write. Install better-sqlite3 12.8 or newer, which brings SQLite 3.51.3 or newer.`,
    );
  },
);

it('refuses the withdrawn SQLite 3.52.0', () => {
  expect(() => checkSqliteVersion({ name: 'sqlite3', version: '3.52.0' })).toThrow(
    'SQLite 3.52.0 inside sqlite3 was withdrawn',
  );
});

it.each([
  [5, 'SQLITE_BUSY'],
  [517, 'SQLITE_BUSY_SNAPSHOT'],
  [261, 'SQLITE_BUSY'],
  [2067, 'SQLITE_CONSTRAINT_UNIQUE'],
  [1043, 'SQLITE_CONSTRAINT'],
  [1, 'SQLITE_ERROR'],
])('names the result code %i %s', (code, name) => {
  expect(sqliteCodeName(code)).toBe(name);
});

const isBetterAbsent = !existsSync(new URL('../../node_modules/better-sqlite3', import.meta.url));

function isAccepted(driver: SqliteDriver): boolean {
  try {
    checkSqliteVersion(driver);
    return true;
  } catch {
    return false;
  }
}

// better-sqlite3 is left alone on a Node that makes its own the first choice: there it may end the process.
const chosen = await loadSqliteDriver();
const ofNode = loadNodeDriver();
const drivers: readonly SqliteDriver[] =
  chosen.name === 'node:sqlite' || ofNode === undefined ? [chosen] : [chosen, ofNode];

it('comes from Node itself where that is safe and gives texts whole, and else from better-sqlite3', () => {
  const isNodeFirst = ofNode?.keepsNul === true && isAccepted(ofNode);
  expect(chosen.name).toBe(isNodeFirst || isBetterAbsent ? 'node:sqlite' : 'better-sqlite3');
});

describe.each(drivers.map((driver) => [driver.name, driver] as const))('the library %s', (_name, driver) => {
  it('gives values exactly, changes and errors by code', async () => {
    const path = (await freshSqliteUrl()).slice('sqlite:'.length);
    const connection = openConnection({ driver, path, readonly: false });
    try {
      connection.exec('CREATE TABLE t (id INTEGER PRIMARY KEY, v, t TEXT UNIQUE)');
      const insert = connection.statement('INSERT INTO t (v, t) VALUES (?, ?)');
      expect(insert.run([7, 'a'])).toEqual({ changes: 1, lastId: 1 });
      expect(insert.run([2n ** 62n, 'b'])).toEqual({ changes: 1, lastId: 2 });
      expect(insert.run([Buffer.from([0, 255]), null])).toEqual({ changes: 1, lastId: 3 });
      expect(insert.run([1.5, 5])).toEqual({ changes: 1, lastId: 4 });
      const nul = 'a\0b';
      if (driver.keepsNul) expect(connection.rows('SELECT ?', [nul])).toEqual([[nul]]);
      else expect(() => insert.run([nul, 'n'])).toThrow(expect.objectContaining({ code: 'SQLITE_MISMATCH' }));
      expect(connection.rows('SELECT v, t, typeof(v) FROM t ORDER BY id', [])).toEqual([
        [7, 'a', 'integer'],
        [2n ** 62n, 'b', 'integer'],
        [Buffer.from([0, 255]), null, 'blob'],
        [1.5, '5', 'real'],
      ]);
      expect(connection.rows('UPDATE t SET v = v + 1 WHERE id <= 2 RETURNING v', [])).toEqual([[8], [2n ** 62n + 1n]]);
      expect(connection.rows('SELECT $name, hcd_fold($name)', { name: 'ÄÉΣ' })).toEqual([['ÄÉΣ', 'äéσ']]);
      expect(() => insert.run([1, 'a'])).toThrow(expect.objectContaining({ code: 'SQLITE_CONSTRAINT_UNIQUE' }));
      expect(connection.statement('SELECT 1 AS one, 2 AS two').columns).toEqual(['one', 'two']);
      expect([insert.returnsRows, connection.inTransaction]).toEqual([false, false]);
      connection.exec('BEGIN');
      expect(connection.inTransaction).toBe(true);
      connection.exec('ROLLBACK');
    } finally {
      connection.close();
    }
  });
});
