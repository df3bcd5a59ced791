/** Every kind of read of the bench sends the same statements on a site of 20,000 resources as on one of 1,000, and none looks at all of them. */
import { expect, it } from 'vitest';
import { type DatabaseName, provideSite } from '../../bench/generate.js';
import { openRecorder, type RecordedStatement, type Recorder } from '../../bench/record.js';
import { scenarios } from '../../bench/scenarios.js';
import { describeEachDatabase } from '../support/databases.js';
import { makeTempDir } from '../support/temp-dir.js';

/** Reads that are known to look at many rows, and are bounded by other means. */
const bounded = ['search', 'offset', 'words', 'common', 'common-title'];
const reads = scenarios.filter(({ name }) => !bounded.includes(name));

describeEachDatabase('reads of a growing site', (database) => {
  it('send as many statements, each by an index', async () => {
    const folder = await makeTempDir('growth');
    const [small, large] = [await open(database.name, 1000), await open(database.name, 20_000)];
    try {
      for (const scenario of reads) {
        const few = await small.record(scenario, 1000);
        const many = await large.record(scenario, 20_000);
        const most = (variants: typeof few) => Math.max(...variants.map(({ again }) => again.length));
        expect(few.length, scenario.name).toBeGreaterThan(0);
        expect(most(many), scenario.name).toBe(most(few));
        for (const statement of many[0]?.again ?? []) expect(await scans(large, statement), statement.sql).toEqual([]);
      }
    } finally {
      await small.close();
      await large.close();
    }

    async function open(name: DatabaseName, count: number): Promise<Recorder> {
      const serverUrl = name === 'mariadb' ? new URL('/', await database.url()).href.replace(/\/$/, '') : '';
      return openRecorder(
        await provideSite({ database: name, count, paragraphs: 0, folder, serverUrl, say: () => undefined }),
      );
    }
  });
});

/** The parts of the plan that look at every resource. */
async function scans({ database }: Recorder, { sql, params }: RecordedStatement): Promise<string[]> {
  const word = database.dialect === 'sqlite' ? 'EXPLAIN QUERY PLAN' : 'EXPLAIN';
  const rows = await database.select({ sql: `${word} ${sql}`, params });
  if (database.dialect === 'sqlite') return rows.map((row) => String(row[3])).filter((part) => /^SCAN t\b/.test(part));
  return rows.filter((row) => row[2] === 't' && row[3] === 'ALL').map((row) => row.map(String).join(' '));
}
