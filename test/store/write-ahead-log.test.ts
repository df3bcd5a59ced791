/** A full write-ahead log of SQLite is copied into the file on a thread, not in the commit that fills it. */
import { setImmediate } from 'node:timers/promises';
import { expect, it, onTestFinished, vi } from 'vitest';
import { loadSqliteDriver, openConnection } from '../../src/store/sqlite/connection.js';
import { StatementThread } from '../../src/store/sqlite/thread.js';
import { freshSqliteUrl } from '../support/databases.js';
import { deferred } from '../support/deferred.js';
import { eventually } from '../support/eventually.js';
import { opened, rows, run } from './opened.js';

const driver = await loadSqliteDriver();
/** 245 pages. */
const blob = { sql: 'INSERT INTO t (b) VALUES (zeroblob(1000000))', params: [] };

/** A site with a table, and another connection that sees its log. */
async function openedTable() {
  const url = await freshSqliteUrl();
  const db = await opened({ url });
  await run(db, 'CREATE TABLE t (id INTEGER PRIMARY KEY, b BLOB NOT NULL)');
  const other = openConnection({ driver, path: url.slice('sqlite:'.length), readonly: true });
  onTestFinished(() => other.close());
  const log = () => other.rows('PRAGMA wal_checkpoint(NOOP)', [])[0]?.map(Number) ?? [];
  const pages = () => log()[1] ?? 0;
  const left = () => pages() - (log()[2] ?? 0);
  const insert = (options = {}) => db.write((tx) => tx.run(blob), options);
  return { db, other, insert, pages, left };
}

it('copies a full log into the file while others write, and begins it again', async () => {
  const { db, insert, pages, left } = await openedTable();
  // Fewer pages than SQLite itself would wait for.
  await Promise.all(Array.from({ length: 20 }, () => insert()));
  await eventually(() => expect(left()).toBeLessThan(1000));
  let rowCount = 20;
  await eventually(async () => {
    await insert();
    rowCount += 1;
    expect(pages()).toBeLessThan(1000);
  });
  expect(await rows(db, 'SELECT COUNT(*), SUM(LENGTH(b)) FROM t')).toEqual([[rowCount, rowCount * 1_000_000]]);
});

it('leaves a log that a long read has held up to the thread, whatever is committed meanwhile', async () => {
  const { other, insert, left } = await openedTable();
  other.exec('BEGIN');
  other.rows('SELECT COUNT(*) FROM t', []);
  const copy = vi.spyOn(StatementThread.prototype, 'select').mockResolvedValue([]);
  for (let at = 0; at < 40; at += 1) await insert();
  // The second copy of an attempt has the turn to write: none may be on its way when the thread begins to take long.
  await setImmediate();
  copy.mockReturnValue(new Promise(() => {}));
  other.exec('COMMIT');
  for (let at = 0; at < 5; at += 1) await insert();
  expect(left()).toBeGreaterThan(8000);
  copy.mockRestore();
});

it('lets no write wait while the log is copied', async () => {
  const { db, insert } = await openedTable();
  await insert({ aside: true });
  const copied = deferred<void>();
  const copying = new Set<StatementThread>();
  const { select, run: runOnThread } = StatementThread.prototype;
  vi.spyOn(StatementThread.prototype, 'select').mockImplementation(async function (this: StatementThread, statement) {
    copying.add(this);
    await copied.promise;
    return select.call(this, statement);
  });
  // A thread has one thing to do at a time.
  vi.spyOn(StatementThread.prototype, 'run').mockImplementation(async function (this: StatementThread, statement) {
    if (copying.has(this)) await copied.promise;
    return runOnThread.call(this, statement);
  });
  for (let at = 0; at < 5; at += 1) await insert();
  await Promise.all([insert({ aside: true }), insert()]);
  copied.resolve();
  expect(await rows(db, 'SELECT COUNT(*) FROM t')).toEqual([[8]]);
});
