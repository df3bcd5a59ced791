/** Commits to SQLite wait for the disk together, and none is acknowledged before it is there. */
import fs, { cpSync, existsSync, mkdirSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/store/open/open.js';
import { describeEachDatabase, freshSqliteUrl } from '../support/databases.js';
import { deferred } from '../support/deferred.js';
import { eventually } from '../support/eventually.js';
import { opened, rows, run } from './opened.js';

type Sync = () => Promise<void>;

const { fdatasync } = fs;
/** Called in place of the sync of a file. */
const disk = { sync: (work: Sync): Promise<void> => work() };

beforeEach(() => {
  disk.sync = (work) => work();
  const replaced = (file: number, callback: (error: Error | null) => void): void => {
    disk.sync(() => promisify(fdatasync)(file)).then(() => callback(null), callback);
  };
  Object.assign(fs, { fdatasync: replaced });
  syncBuiltinESMExports();
});

afterEach(() => {
  Object.assign(fs, { fdatasync });
  syncBuiltinESMExports();
});

describe('a write to SQLite', () => {
  it('is on the disk when it is acknowledged', async () => {
    const url = await freshSqliteUrl();
    const path = url.slice('sqlite:'.length);
    const db = await opened({ url });
    await run(db, 'CREATE TABLE t (id INTEGER PRIMARY KEY)');
    // What the files held when a sync began is what a loss of power leaves after it.
    let syncs = 0;
    let safe = '';
    disk.sync = async (work) => {
      syncs += 1;
      const folder = join(dirname(path), `safe-${syncs}`);
      mkdirSync(folder);
      for (const rest of ['', '-wal']) {
        if (existsSync(path + rest)) cpSync(path + rest, join(folder, `db${rest}`));
      }
      await work();
      safe = folder;
    };
    const acknowledged: { readonly id: number; readonly safe: string }[] = [];
    await Promise.all(
      Array.from({ length: 60 }, async (_none, id) => {
        await db.write((tx) => tx.run({ sql: 'INSERT INTO t VALUES (?)', params: [id] }));
        acknowledged.push({ id, safe });
      }),
    );
    expect(acknowledged.length).toBe(60);
    expect(syncs).toBeLessThan(60);
    for (const folder of new Set(acknowledged.map((one) => one.safe))) {
      const copy = await openDatabase({ url: `sqlite:${join(folder, 'db')}` });
      const kept = new Set((await rows(copy, 'SELECT id FROM t')).map(([id]) => id));
      await copy.close();
      expect(acknowledged.filter((one) => one.safe === folder && !kept.has(one.id))).toEqual([]);
    }
  });

  it('is refused when the disk fails, and the next one moves the log into the file', async () => {
    const url = await freshSqliteUrl();
    const db = await opened({ url });
    await run(db, 'CREATE TABLE t (id INTEGER PRIMARY KEY)');
    const failure = Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO' });
    disk.sync = () => Promise.reject(failure);
    const insert = (id: number) => db.write((tx) => tx.run({ sql: 'INSERT INTO t VALUES (?)', params: [id] }));
    await expect(insert(1)).rejects.toMatchObject({ code: 'unavailable', cause: failure });
    const found = db.write((tx) => tx.run({ sql: 'INSERT INTO t VALUES (2)', params: [] }), {
      outcome: async (tx) => {
        disk.sync = (work) => work();
        const [row] = await tx.select({ sql: 'SELECT id FROM t WHERE id = 2', params: [] });
        return row === undefined ? undefined : { changes: 1, lastId: 2 };
      },
    });
    expect(await found).toEqual({ changes: 1, lastId: 2 });
    await insert(3);
    expect(await rows(db, 'SELECT id FROM t ORDER BY id')).toEqual([[1], [2], [3]]);
  });

  it('is acknowledged when the database is closed before its sync, which removes the log', async () => {
    const url = await freshSqliteUrl();
    const db = await openDatabase({ url });
    await run(db, 'CREATE TABLE t (id INTEGER PRIMARY KEY)');
    const held = deferred();
    disk.sync = (work) => held.promise.then(work);
    const insert = (id: number) => db.write((tx) => tx.run({ sql: 'INSERT INTO t VALUES (?)', params: [id] }));
    const writes = Promise.all([insert(1), insert(2)]);
    await eventually(async () => expect(await rows(db, 'SELECT id FROM t')).toEqual([[1], [2]]));
    await db.close();
    expect(existsSync(`${url.slice('sqlite:'.length)}-wal`)).toBe(false);
    held.resolve();
    expect((await writes).length).toBe(2);
    const again = await opened({ url });
    expect(await rows(again, 'SELECT id FROM t')).toEqual([[1], [2]]);
  });
});

describeEachDatabase('writes at the same time', (database) => {
  it('give the same as each alone, whichever of them fail', async () => {
    const db = await opened({ url: await database.url() });
    await run(db, 'CREATE TABLE t (id INTEGER PRIMARY KEY, n INTEGER NOT NULL)', 'CREATE TABLE log (id INTEGER)');
    const change = fc.record({
      row: fc.integer({ min: 1, max: 3 }),
      by: fc.integer({ min: 1, max: 9 }),
      fails: fc.constantFrom('never', 'never', 'by its own error', 'by a taken key'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 20 }), async (changes) => {
        await run(db, 'DELETE FROM t', 'DELETE FROM log', 'INSERT INTO t VALUES (1, 0), (2, 0), (3, 0)');
        const outcomes = await Promise.all(
          changes.map(({ row, by, fails }, at) =>
            db
              .write(async (tx) => {
                await tx.run({ sql: 'UPDATE t SET n = n + ? WHERE id = ?', params: [by, row] });
                await tx.run({ sql: 'INSERT INTO log VALUES (?)', params: [at] });
                if (fails === 'by its own error') throw new TypeError('refused');
                if (fails === 'by a taken key') await tx.run({ sql: 'INSERT INTO t VALUES (1, 0)', params: [] });
                return 'done';
              })
              .catch((error: unknown) => (error instanceof TypeError ? 'own error' : 'taken key')),
          ),
        );
        const words = { never: 'done', 'by its own error': 'own error', 'by a taken key': 'taken key' };
        expect(outcomes).toEqual(changes.map(({ fails }) => words[fails]));
        const done = [...changes.entries()].filter(([, { fails }]) => fails === 'never');
        const sum = (row: number) => done.reduce((total, [, one]) => total + (one.row === row ? one.by : 0), 0);
        expect(await rows(db, 'SELECT id, n FROM t ORDER BY id')).toEqual([1, 2, 3].map((row) => [row, sum(row)]));
        expect(await rows(db, 'SELECT id FROM log ORDER BY id')).toEqual(done.map(([at]) => [at]));
      }),
      { numRuns: 15 },
    );
  });
});
