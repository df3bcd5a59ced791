/** Statements that may scan run beside the event loop, from sources and from the build. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { HeavyReader } from '../../src/store/sqlite/heavy-reader.js';
import { loadSqliteDriver } from '../../src/store/sqlite/load-driver.js';
import { freshSqliteUrl } from '../support/databases.js';
import { makeTempDir } from '../support/temp-dir.js';
import { opened, rows } from './opened.js';

const driver = await loadSqliteDriver();

const counting = (last: number) =>
  `WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < ${last}) SELECT COUNT(*) FROM c`;

/** A statement that keeps a processor of this machine busy for about so many seconds. */
async function busyFor(seconds: number): Promise<string> {
  const db = await opened({ url: await freshSqliteUrl() });
  const sample = 1_000_000;
  const before = process.cpuUsage();
  await rows(db, counting(sample));
  const taken = process.cpuUsage(before).user / 1e6;
  return counting(Math.ceil((sample * seconds) / taken));
}

async function reader(limit: number): Promise<HeavyReader> {
  const url = await freshSqliteUrl();
  await opened({ url });
  return new HeavyReader({ driver, path: url.slice('sqlite:'.length), limit });
}

it('refuses a statement that takes too long and answers the ones behind it', async () => {
  const heavy = await reader(3000);
  try {
    const slow = heavy.select({ sql: await busyFor(6), params: [] });
    await expect(slow).rejects.toMatchObject({ code: 'unavailable', details: { retryAfter: 5 } });
    expect(await heavy.select({ sql: 'SELECT ?', params: ['next'] })).toEqual([['next']]);
  } finally {
    await heavy.close();
  }
});

it('refuses more statements than can be answered in time', async () => {
  const heavy = await reader(5000);
  try {
    const all = await Promise.allSettled(
      Array.from({ length: 70 }, (_, at) => heavy.select({ sql: 'SELECT ?', params: [at] })),
    );
    expect(all.filter((one) => one.status === 'fulfilled').length).toBe(64);
    expect(all.slice(64)).toEqual(
      Array(6).fill({ status: 'rejected', reason: expect.objectContaining({ code: 'unavailable' }) }),
    );
    expect(await heavy.select({ sql: 'SELECT 1', params: [] })).toEqual([[1]]);
  } finally {
    await heavy.close();
  }
});

it('reports a thread that cannot open the file, and tries anew for the next statement', async () => {
  const path = join(await makeTempDir(), 'later.sqlite');
  const heavy = new HeavyReader({ driver, path, limit: 5000 });
  try {
    await expect(heavy.select({ sql: 'SELECT 1', params: [] })).rejects.toMatchObject({ code: 'unavailable' });
    await opened({ url: `sqlite:${path}` });
    expect(await heavy.select({ sql: 'SELECT 1', params: [] })).toEqual([[1]]);
  } finally {
    await heavy.close();
  }
});

it('gives errors of a statement their meaning', async () => {
  const heavy = await reader(5000);
  try {
    await expect(heavy.select({ sql: 'SELECT * FROM missing', params: [] })).rejects.toMatchObject({
      code: 'internal_error',
    });
    await expect(heavy.select({ sql: 'CREATE TABLE t (n)', params: [] })).rejects.toMatchObject({
      code: 'internal_error',
    });
  } finally {
    await heavy.close();
  }
});

it('refuses what still waits when it is closed', async () => {
  const heavy = await reader(5000);
  const waiting = heavy.select({ sql: 'SELECT 1', params: [] });
  const refused = expect(waiting).rejects.toMatchObject({ code: 'unavailable' });
  await heavy.close();
  await refused;
  await expect(heavy.select({ sql: 'SELECT 1', params: [] })).rejects.toMatchObject({ code: 'unavailable' });
});
