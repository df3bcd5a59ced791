/** Statements that may scan run off the event loop, from sources and from the build. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { loadSqliteDriver } from '../../src/store/sqlite/connection.js';
import { HeavyReader } from '../../src/store/sqlite/heavy-reader.js';
import { freshSqliteUrl } from '../support/databases.js';
import { patientLimits } from '../support/patient-limits.js';
import { makeTempDir } from '../support/temp-dir.js';
import { opened, run } from './opened.js';

const driver = await loadSqliteDriver();

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
