/** Statements that may scan run off the event loop, from sources and from the build. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { StoreLimits } from '../../src/store/base/limits.js';
import { loadSqliteDriver } from '../../src/store/sqlite/connection.js';
import { HeavyReader } from '../../src/store/sqlite/heavy-reader.js';
import { freshSqliteUrl } from '../support/databases.js';
import { patientLimits } from '../support/patient-limits.js';
import { makeTempDir } from '../support/temp-dir.js';
import { opened, run } from './opened.js';

const driver = await loadSqliteDriver();

/** A search that ends only when it is ended: as a real one it folds one text after the other. */
const endless = 'WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT COUNT(hcd_fold(n)) FROM c';

async function reader(limits: Partial<StoreLimits> = {}): Promise<HeavyReader> {
  const url = await freshSqliteUrl();
  await opened({ url });
  return new HeavyReader({ driver, path: url.slice('sqlite:'.length), limits: { ...patientLimits, ...limits } });
}

it('refuses a search that takes too long and answers the statements behind it', async () => {
  const heavy = await reader({ search: 200 });
  try {
    const slow = heavy.select({ sql: endless, params: [], heavy: 'search' });
    const behind = heavy.select({ sql: 'SELECT ?', params: ['next'] });
    await expect(slow).rejects.toMatchObject({ code: 'unavailable', details: { retryAfter: 5 } });
    expect(await behind).toEqual([['next']]);
  } finally {
    await heavy.close();
  }
});

it('answers as many short statements as come at once', async () => {
  const heavy = await reader();
  try {
    const all = await Promise.all(
      Array.from({ length: 200 }, (_, at) => heavy.select({ sql: 'SELECT ?', params: [at] })),
    );
    expect(all).toEqual(Array.from({ length: 200 }, (_, at) => [[at]]));
  } finally {
    await heavy.close();
  }
});

it('answers other callers while the statement of one goes on', async () => {
  const heavy = await reader();
  const slow = { group: 'gateway', caller: 'slow' };
  const endings = Promise.allSettled([
    heavy.select({ sql: endless, params: [], asker: slow }),
    heavy.select({ sql: 'SELECT 1', params: [], asker: slow }),
  ]);
  try {
    const other = { group: 'gateway', caller: 'quick' };
    expect(await heavy.select({ sql: 'SELECT 1', params: [], asker: other })).toEqual([[1]]);
  } finally {
    await heavy.close();
  }
  expect((await endings).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
});

it('reports a thread that cannot open the file, and tries again for the next statement', async () => {
  const path = join(await makeTempDir(), 'later.sqlite');
  const heavy = new HeavyReader({ driver, path, limits: patientLimits });
  try {
    await expect(heavy.select({ sql: 'SELECT 1', params: [] })).rejects.toMatchObject({ code: 'unavailable' });
    await opened({ url: `sqlite:${path}` });
    expect(await heavy.select({ sql: 'SELECT 1', params: [] })).toEqual([[1]]);
  } finally {
    await heavy.close();
  }
});

it('reads small tables on the event loop, and large ones in a thread', async () => {
  const db = await opened({ url: await freshSqliteUrl() });
  const filled = (name: string, count: number) => [
    `CREATE TABLE ${name} (n INTEGER PRIMARY KEY)`,
    `WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < ${count}) INSERT INTO ${name} SELECT n FROM c`,
  ];
  await run(db, ...filled('small', 2000), ...filled('large', 2001));
  // Only the thread may wait for a lock for so long.
  const isInThread = async (over: string) =>
    (await db.select({ sql: 'PRAGMA busy_timeout', params: [], heavy: { over } }))[0]?.[0] === 5000;
  expect([await isInThread('small'), await isInThread('large'), await isInThread('missing')]).toEqual([
    false,
    true,
    true,
  ]);
});

it('gives errors of a statement their meaning', async () => {
  const heavy = await reader();
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
  const heavy = await reader();
  const waiting = heavy.select({ sql: 'SELECT 1', params: [] });
  const refused = expect(waiting).rejects.toMatchObject({ code: 'unavailable' });
  await heavy.close();
  await refused;
  await expect(heavy.select({ sql: 'SELECT 1', params: [] })).rejects.toMatchObject({ code: 'unavailable' });
});
