/** When the system gives no thread, work that needs one is refused; it is accepted when there are threads again. */
import { syncBuiltinESMExports } from 'node:module';
import threads from 'node:worker_threads';
import { afterEach, expect, it } from 'vitest';
import type { Database } from '../../src/store/base/database.js';
import { freshSqliteUrl } from '../support/databases.js';
import { opened, rows, run } from './opened.js';

const { Worker } = threads;

/** Also for modules that other files of tests have loaded. */
function setWorker(worker: typeof Worker): void {
  threads.Worker = worker;
  syncBuiltinESMExports();
}

function takeThreads(): void {
  class NoWorker extends Worker {
    constructor(...args: ConstructorParameters<typeof Worker>) {
      // As Node does at the limit of processes.
      if (args.length > 0) throw Object.assign(new Error('EAGAIN'), { code: 'ERR_WORKER_INIT_FAILED' });
      super(...args);
    }
  }
  setWorker(NoWorker);
}

function giveThreads(): void {
  setWorker(Worker);
}

afterEach(giveThreads);

const refused = { code: 'unavailable' };
const increment = { sql: 'UPDATE t SET n = n + 1', params: [] };

async function counter(): Promise<Database> {
  const db = await opened({ url: await freshSqliteUrl() });
  await run(db, 'CREATE TABLE t (n INTEGER NOT NULL)', 'INSERT INTO t VALUES (0)');
  takeThreads();
  return db;
}

it('refuses heavy reads, and takes them again', async () => {
  const db = await counter();
  const read = () => db.select({ sql: 'SELECT n FROM t', params: [], heavy: true });
  // More than there are places for such reads.
  for (let attempt = 0; attempt < 5; attempt += 1) await expect(read()).rejects.toMatchObject(refused);
  await expect(Promise.all([read(), read(), read()])).rejects.toMatchObject(refused);
  giveThreads();
  expect(await Promise.all([read(), read(), read()])).toEqual([[[0]], [[0]], [[0]]]);
});

it('refuses writes aside, and none of the others', async () => {
  const db = await counter();
  await expect(db.write((tx) => tx.run(increment), { aside: true })).rejects.toMatchObject(refused);
  await db.write((tx) => tx.run(increment));
  giveThreads();
  await db.write((tx) => tx.run(increment), { aside: true });
  expect(await rows(db, 'SELECT n FROM t')).toEqual([[2]]);
});
