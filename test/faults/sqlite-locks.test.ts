/** A process keeps its locks on a database file for as long as it has it open. */
import { readFile, stat } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { openDatabase } from '../../src/store/open/open.js';
import { freshSqliteUrl } from '../support/databases.js';

/**
 * Whether any process holds a lock on the file, according to Linux. Only this works on every machine: newer versions of SQLite
 * remove no log of a file whose locks are lost, older ones, which other programs use, do.
 */
async function isLocked(path: string): Promise<boolean> {
  const { ino } = await stat(path);
  const locks = await readFile('/proc/locks', 'utf8');
  return locks.split('\n').some((line) => line.includes(`:${ino} `));
}

it.skipIf(process.platform !== 'linux')(
  'a connection that is opened later leaves the locks of the others',
  async () => {
    const url = await freshSqliteUrl();
    const path = url.slice('sqlite:'.length);
    const db = await openDatabase({ url });
    const tables = () => db.select({ sql: 'SELECT name FROM sqlite_schema', params: [] });
    try {
      // The connection that reads has its lock before the one that writes is opened.
      expect(await tables()).toEqual([]);
      expect(await isLocked(path)).toBe(true);
      await db.write((tx) => tx.run({ sql: 'CREATE TABLE t (n INTEGER)', params: [] }));
      expect(await tables()).toEqual([['t']]);
      expect(await isLocked(path)).toBe(true);
    } finally {
      await db.close();
    }
    expect(await isLocked(path)).toBe(false);
  },
);
