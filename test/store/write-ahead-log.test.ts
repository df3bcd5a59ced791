/** A full write-ahead log of SQLite is copied into the file on a thread, not in the commit that fills it. */
import { expect, it, vi } from 'vitest';
import { loadSqliteDriver, openConnection } from '../../src/store/sqlite/connection.js';
import { freshSqliteUrl } from '../support/databases.js';
import { opened, rows, run } from './opened.js';

const driver = await loadSqliteDriver();
/** 245 pages. */
const blob = { sql: 'INSERT INTO t (b) VALUES (zeroblob(1000000))', params: [] };

it('copies a full log into the file while others write, and begins it again', async () => {
  const url = await freshSqliteUrl();
  const db = await opened({ url });
  await run(db, 'CREATE TABLE t (id INTEGER PRIMARY KEY, b BLOB NOT NULL)');
  const other = openConnection({ driver, path: url.slice('sqlite:'.length), readonly: true });
  const log = () => other.rows('PRAGMA wal_checkpoint(NOOP)', [])[0]?.map(Number) ?? [];
  const insert = () => db.write((tx) => tx.run(blob));
  // Fewer pages than SQLite itself would wait for.
  await Promise.all(Array.from({ length: 20 }, insert));
  await vi.waitFor(() => {
    const [, pages = 0, copied = 0] = log();
    expect(pages - copied).toBeLessThan(1000);
  });
  let rowCount = 20;
  await vi.waitFor(async () => {
    await insert();
    rowCount += 1;
    expect(log()[1]).toBeLessThan(1000);
  });
  expect(await rows(db, 'SELECT COUNT(*), SUM(LENGTH(b)) FROM t')).toEqual([[rowCount, rowCount * 1_000_000]]);
  other.close();
});
