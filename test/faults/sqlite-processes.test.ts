/** Several processes on one SQLite file: nothing is lost and no process blocks its event loop. */
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { QueryTypes } from 'sequelize';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildStore, startProgram } from '../store/built-store.js';
import { openedForServing, rows, run } from '../store/opened.js';
import { freshSqliteUrl } from '../support/databases.js';
import { makeTempDir } from '../support/temp-dir.js';

/** Counts to three million without a table; about a second of work that no index helps. */
const slowCount =
  'WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 3000000) SELECT COUNT(*) FROM c';

interface LoopDelays {
  /** Milliseconds. */
  readonly percentile99: number;
  readonly most: number;
}

/** Measures in a thread that does nothing else: the cost that a busy machine adds to every process. */
const idleThread = `
  const { parentPort } = require('node:worker_threads');
  const delay = require('node:perf_hooks').monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  parentPort.once('message', () => {
    delay.disable();
    parentPort.postMessage({ percentile99: delay.percentile(99) / 1e6, most: delay.max / 1e6 });
  });
  parentPort.postMessage('measuring');`;

/** Watches the event loop of this thread; the end tells whether it went on. */
async function watchEventLoop(): Promise<{ readonly expectResponsive: () => Promise<void> }> {
  const idle = new Worker(idleThread, { eval: true });
  await once(idle, 'message');
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  return {
    async expectResponsive() {
      delay.disable();
      const told = once(idle, 'message');
      idle.postMessage('end');
      const [cost]: LoopDelays[] = await told;
      await idle.terminate();
      // Waiting or counting inside the event loop would show as most of a second.
      expect(delay.percentile(99) / 1e6).toBeLessThan(60 + (cost?.percentile99 ?? 0));
      expect(delay.max / 1e6).toBeLessThan(300 + (cost?.most ?? 0));
    },
  };
}

describe('one SQLite file', () => {
  let built = '';
  beforeAll(async () => {
    built = await buildStore();
  });

  it('keeps every write of three concurrent processes', async () => {
    const url = await freshSqliteUrl();
    const db = await openedForServing({ url });
    await run(db, 'CREATE TABLE counter (n INTEGER)', 'INSERT INTO counter VALUES (0)');
    const program = `
      for (let i = 0; i < 200; i += 1) {
        await db.write(async (tx) => {
          const [[n]] = await tx.select({ sql: 'SELECT n FROM counter', params: [] });
          await tx.run({ sql: 'UPDATE counter SET n = ?', params: [n + 1] });
        });
      }`;
    const children = await Promise.all([1, 2].map(() => startProgram({ built, url, program })));
    const own = Promise.all(
      Array.from({ length: 100 }, () => db.write((tx) => tx.run({ sql: 'UPDATE counter SET n = n + 1', params: [] }))),
    );
    expect(await Promise.all(children.map((child) => child.end))).toEqual([0, 0]);
    await own;
    expect(await rows(db, 'SELECT n FROM counter')).toEqual([[500]]);
  });

  it('serves reads while another process holds the write lock', async () => {
    const url = await freshSqliteUrl();
    const db = await openedForServing({ url });
    await run(db, 'CREATE TABLE t (n INTEGER)');
    const released = join(await makeTempDir('released'), 'now');
    const program = `
      const { existsSync } = await import('node:fs');
      await db.write(async (tx) => {
        await tx.run({ sql: 'INSERT INTO t VALUES (1)', params: [] });
        process.stdout.write('locked\\n');
        while (!existsSync(${JSON.stringify(released)})) await new Promise((done) => setTimeout(done, 10));
      });`;
    const child = await startProgram({ built, url, program });
    expect(await child.line()).toBe('locked');

    const { expectResponsive } = await watchEventLoop();
    const started = performance.now();
    let written = false;
    const write = db
      .write((tx) => tx.run({ sql: 'INSERT INTO t VALUES (2)', params: [] }))
      .then(() => {
        written = true;
      });
    let reads = 0;
    while (reads <= 50 || performance.now() - started <= 1000) {
      expect(await rows(db, 'SELECT COUNT(*) FROM t')).toEqual([[0]]);
      reads += 1;
      // A thread that is never idle loses its turns to others on a busy machine, and the thread next to it does not.
      await setTimeout(2);
    }
    expect(written).toBe(false);
    await writeFile(released, '');
    await write;
    await expectResponsive();
    expect(await child.end).toBe(0);
    expect(await rows(db, 'SELECT n FROM t ORDER BY n')).toEqual([[1], [2]]);
  });

  it('runs a heavy statement off the event loop, from the sources and from the build', async () => {
    const url = await freshSqliteUrl();
    const db = await openedForServing({ url });
    await db.select({ sql: 'SELECT 1', params: [], heavy: true });
    const { expectResponsive } = await watchEventLoop();
    expect(await db.select({ sql: slowCount, params: [], heavy: true })).toEqual([[3_000_000]]);
    await expectResponsive();

    const program = `console.log(JSON.stringify(await db.select({ sql: 'SELECT 6 * 7', params: [], heavy: true })));`;
    const child = await startProgram({ built, url, program });
    expect(await child.line()).toBe('[[42]]');
    expect(await child.end).toBe(0);
  });

  it('is readable by its owner only, with its journal files', async () => {
    const url = await freshSqliteUrl();
    const db = await openedForServing({ url });
    await run(db, 'CREATE TABLE t (n INTEGER)');
    const path = url.slice('sqlite:'.length);
    for (const file of [path, `${path}-wal`, `${path}-shm`]) expect(statSync(file).mode & 0o777).toBe(0o600);
  });
});

describe('a SQLite connection', () => {
  it.each(['reader', 'transaction', 'sequelize', 'heavy'])('has the settings that keep data safe: %s', async (kind) => {
    const db = await openedForServing({ url: await freshSqliteUrl() });
    const read = async (sql: string) => {
      if (kind === 'reader') return rows(db, sql);
      if (kind === 'heavy') return db.select({ sql, params: [], heavy: true });
      if (kind === 'transaction') return db.write((tx) => tx.select({ sql, params: [] }));
      const found = await db.query('t', ({ sequelize, transaction }) =>
        sequelize.query(sql, { type: QueryTypes.SELECT, transaction }),
      );
      return found.map((row) => Object.values(row));
    };
    const settings: Record<string, unknown> = {};
    // A transaction in turn commits without waiting for the disk; its sync of the log follows (store/shared-sync.test.ts).
    const synchronous = kind === 'transaction' ? 1 : 2;
    for (const name of ['journal_mode', 'synchronous', 'foreign_keys', 'trusted_schema', 'cell_size_check']) {
      settings[name] = (await read(`PRAGMA ${name}`))[0]?.[0];
    }
    expect(settings).toEqual({
      journal_mode: 'wal',
      synchronous,
      foreign_keys: 1,
      trusted_schema: 0,
      cell_size_check: 1,
    });
    // SQLite answers mmap_size with no row where memory maps were not compiled in.
    expect((await read('PRAGMA mmap_size')).flat()).toSatisfy((sizes: unknown[]) => sizes.every((size) => size === 0));
  });
});
