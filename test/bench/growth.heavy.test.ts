/**
 * Every kind of read of the bench sends the same statements on a site of 24,000 resources as on one of 1,000, and none looks at
 * all of them; totals and searches are bounded and say so.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openRecorder, type RecordedStatement, type Recorder } from '../../bench/record.js';
import { chooseScenarios, scenarios } from '../../bench/scenarios.js';
import { type DatabaseName, provideSite } from '../../bench/site/generate.js';
import { describeEachDatabase } from '../support/databases.js';
import { makeTempDir } from '../support/temp-dir.js';

/** More resources have a price than are looked at for a total. */
const sizes = { small: 1000, large: 24_000 };
/** The bench lifts the bound of it. */
const known = ['offset'];
/** A small index of words is asked otherwise than a large one. */
const byWords = ['words', 'common', 'common-title', 'common-first', 'beginning', 'two-words', 'in-parent', 'in-order'];
const reads = scenarios.filter(({ name }) => ![...known, ...byWords].includes(name));
/** Those of the looks at hits, of the rows that are shown, and of a total. */
const mostStatements = 9;

describeEachDatabase('reads of a growing site', (database) => {
  let small: Recorder;
  let large: Recorder;

  beforeAll(async () => {
    const folder = await makeTempDir('growth');
    const serverUrl = database.name === 'mariadb' ? new URL('/', await database.url()).href.replace(/\/$/, '') : '';
    const open = async (name: DatabaseName, count: number) =>
      openRecorder(
        await provideSite({ database: name, count, paragraphs: 0, folder, serverUrl, say: () => undefined }),
      );
    [small, large] = [await open(database.name, sizes.small), await open(database.name, sizes.large)];
  });

  afterAll(async () => {
    await small.close();
    await large.close();
  });

  it('send as many statements, each by an index', async () => {
    for (const scenario of reads) {
      const few = await small.record(scenario, sizes.small);
      const many = await large.record(scenario, sizes.large);
      const most = (variants: typeof few) => Math.max(...variants.map(({ again }) => again.length));
      expect(few.length, scenario.name).toBeGreaterThan(0);
      expect(most(many), scenario.name).toBe(most(few));
      for (const statement of many[0]?.again ?? []) expect(await scans(large, statement), statement.sql).toEqual([]);
    }
  });

  it('look at a bounded number of values for a total by a template variable', async () => {
    const [wide] = await recorded('tv-range');
    expect(wide?.path).toContain(encodeURIComponent('filter[tv.price][gte]'));
    const { total, total_at_least: isLeast } = metaOf(wide?.body);
    expect(isLeast).toBe(true);
    expect(total).toBeGreaterThan(5000);
    expect(total).toBeLessThan(10_000);
    for (const { first } of await recorded('tv-range', 'tv-range-order', 'tv-value')) {
      for (const statement of first) expect(await scans(large, statement), statement.sql).toEqual([]);
    }
    const [narrow] = await recorded('tv-narrow');
    expect(metaOf(narrow?.body)).not.toHaveProperty('total_at_least');
  });

  it('find words by a bounded number of hits', async () => {
    for (const { path, body, first, again } of await recorded(...byWords)) {
      const { count } = metaOf(body);
      expect(count, path).toBeGreaterThan(0);
      expect(first.length, path).toBeLessThanOrEqual(mostStatements);
      for (const statement of again) expect(await scans(large, statement), statement.sql).toEqual([]);
    }
    for (const { path, body } of await recorded('common', 'common-title', 'beginning', 'in-order')) {
      expect(metaOf(body), path).toMatchObject({ total_at_least: true, has_more: true });
    }
    for (const { path, body } of await recorded('words', 'common-first', 'in-parent')) {
      expect(metaOf(body), path).not.toHaveProperty('total_at_least');
    }
  });

  async function recorded(...names: readonly string[]) {
    const found = [];
    for (const scenario of chooseScenarios(names)) found.push(...(await large.record(scenario, sizes.large)));
    return found;
  }
});

function metaOf(body: Buffer | undefined): Readonly<Record<string, unknown>> {
  const parsed: { readonly meta: Readonly<Record<string, unknown>> } = JSON.parse(String(body));
  return parsed.meta;
}

/** The parts of the plan that look at every resource. */
async function scans({ database }: Recorder, { sql, params }: RecordedStatement): Promise<string[]> {
  const word = database.dialect === 'sqlite' ? 'EXPLAIN QUERY PLAN' : 'EXPLAIN';
  const rows = await database.select({ sql: `${word} ${sql}`, params });
  if (database.dialect === 'sqlite') return rows.map((row) => String(row[3])).filter((part) => /^SCAN t\b/.test(part));
  return rows.filter((row) => row[2] === 't' && row[3] === 'ALL').map((row) => row.map(String).join(' '));
}
