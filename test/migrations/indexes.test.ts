/** The reads of the hot paths look up an index and sort nothing, by the plans of both databases. */
import { expect, test } from 'vitest';
import type { Database, Param, Reader } from '../../src/store/base/database.js';
import { type MigrationRun, migrateUp } from '../../src/store/migrations/migrate.js';
import { describeEachDatabase } from '../support/databases.js';
import { ownStore, prefix } from './store.js';

interface Case {
  readonly name: string;
  /** What follows SELECT. */
  readonly sql: string;
  readonly params: readonly Param[];
  /** One of these indexes is used. */
  readonly index: readonly string[];
}

const visible = "context_key = 'web' AND published = 1 AND deleted = 0";
const content = `${prefix}site_content`;
const sortable = ['menuindex', 'pagetitle', 'createdon', 'editedon', 'publishedon'];

const cases: readonly Case[] = [
  {
    name: 'a page by three candidates of its address',
    sql: `id FROM ${content} WHERE context_key = ? AND uri IN (?, ?, ?) AND published = 1 AND deleted = 0`,
    params: ['web', 'section-1/page-77', 'section-1/page-77/', 'section-1/page-77.html'],
    index: ['page_by_uri'],
  },
  {
    name: 'a page by one address, whatever its state',
    sql: `id FROM ${content} WHERE context_key = ? AND uri = ?`,
    params: ['web', 'section-1/page-77'],
    index: ['page_by_uri'],
  },
  {
    name: 'children of one parent in menu order',
    sql: `id, pagetitle FROM ${content} WHERE ${visible} AND parent = ? ORDER BY menuindex, id LIMIT 20`,
    params: [7],
    // MariaDB takes the narrower one when nearly all children are visible.
    index: ['visible_children', 'children'],
  },
  {
    name: 'children of one parent in menu order, backwards',
    sql: `id, pagetitle FROM ${content} WHERE ${visible} AND parent = ? ORDER BY menuindex DESC, id DESC LIMIT 20`,
    params: [7],
    index: ['visible_children', 'children'],
  },
  {
    name: 'one level of the tree',
    sql: `id, parent FROM ${content} WHERE ${visible} AND hidemenu = 0 AND parent = ? ORDER BY menuindex, id LIMIT 2001`,
    params: [7],
    index: ['visible_children', 'children'],
  },
  {
    name: 'the number of children of one parent',
    sql: `COUNT(*) FROM ${content} WHERE ${visible} AND parent = ?`,
    params: [7],
    index: ['visible_children'],
  },
  {
    name: 'children of several parents at once',
    sql: `parent, id FROM ${content} WHERE ${visible} AND parent IN (?, ?, ?) ORDER BY parent, menuindex, id`,
    params: [7, 8, 9],
    index: ['visible_children'],
  },
  {
    name: 'children whatever their state',
    sql: `id FROM ${content} WHERE parent = ? ORDER BY menuindex, id`,
    params: [7],
    index: ['children'],
  },
  {
    name: 'resources of a template',
    sql: `id, pagetitle FROM ${content} WHERE ${visible} AND template = ? ORDER BY id LIMIT 20`,
    params: [3],
    index: ['visible_by_template'],
  },
  {
    name: 'the default list',
    sql: `id, pagetitle FROM ${content} WHERE ${visible} ORDER BY id LIMIT 20`,
    params: [],
    // MariaDB walks the primary key when nearly all rows are visible.
    index: ['visible', 'PRIMARY'],
  },
  ...sortable.flatMap((field) =>
    ['', ' DESC'].map((direction): Case => {
      return {
        name: `the list by ${field}${direction}`,
        sql: `id, introtext FROM ${content} WHERE ${visible} ORDER BY ${field}${direction}, id${direction} LIMIT 20`,
        params: [],
        index: [`visible_by_${field}`],
      };
    }),
  ),
  { name: 'an alias', sql: `id FROM ${content} WHERE alias = ?`, params: ['page-77'], index: ['alias'] },
  {
    name: 'planned publications that are due',
    sql: `id FROM ${content} WHERE pub_date > 0 AND pub_date < ?`,
    params: [1000],
    index: ['pub_date'],
  },
  {
    name: 'values of template variables of several resources',
    sql: `tmplvarid, value FROM ${prefix}site_tmplvar_contentvalues WHERE contentid IN (?, ?, ?)`,
    params: [5, 6, 7],
    index: ['values_of_resource'],
  },
  {
    name: 'template variables of a template in order',
    sql: `tmplvarid FROM ${prefix}site_tmplvar_templates WHERE templateid = ? ORDER BY \`rank\`, tmplvarid`,
    params: [3],
    index: ['tvs_of_template'],
  },
  {
    name: 'resource groups of several resources',
    sql: `document_group FROM ${prefix}document_groups WHERE document IN (?, ?, ?)`,
    params: [5, 6, 7],
    index: ['groups_of_resource'],
  },
];

describeEachDatabase('reads of a store with 10,000 resources', (database) => {
  test('each look up an index and sort nothing, with and without statistics', async () => {
    const run = await ownStore(await database.url());
    await migrateUp(run);
    await fill(run);
    for (const statistics of database.name === 'sqlite' ? [false, true] : [true]) {
      if (statistics) await analyze(run.own);
      for (const { name, sql, params, index } of cases) {
        const plan = await explain(run.own, { sql: `SELECT ${sql}`, params });
        expect({ name, statistics, index: plan.index, sorts: plan.sorts, detail: plan.detail }).toEqual({
          name,
          statistics,
          index: expect.toBeOneOf([...index]),
          sorts: false,
          detail: plan.detail,
        });
      }
    }
  });
});

/** 100 sections with 99 pages each: five templates, some rows hidden, times spread. */
async function fill({ own }: MigrationRun): Promise<void> {
  const digits = `WITH d(n) AS (SELECT 0 ${[1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => `UNION ALL SELECT ${n}`).join(' ')}),
    s(n) AS (SELECT 1 + d1.n + 10 * d2.n + 100 * d3.n + 1000 * d4.n FROM d d1, d d2, d d3, d d4)`;
  const columns =
    'id, pagetitle, alias, uri, description, introtext, published, deleted, parent, menuindex, template, createdon, editedon, publishedon, pub_date';
  const values = `n, CONCAT('Page ', n * 7919 % 10007), CONCAT('page-', n), CONCAT('section-', n % 100, '/page-', n), '', 'text',
    CASE WHEN n % 10 = 0 THEN 0 ELSE 1 END, CASE WHEN n % 50 = 3 THEN 1 ELSE 0 END, CASE WHEN n <= 100 THEN 0 ELSE n % 100 + 1 END,
    n % 97, n % 5 + 1, 1700000000 + n * 7919 % 10007, 1700000000 + n * 104729 % 10007, 1700000000 + n, CASE WHEN n % 1000 = 0 THEN n ELSE 0 END`;
  await own.write(async (tx) => {
    const run = (sql: string) => tx.run({ sql, params: [] });
    await run(`INSERT INTO ${content} (${columns}) ${digits} SELECT ${values} FROM s`);
    await run(
      `INSERT INTO ${prefix}site_tmplvar_contentvalues (tmplvarid, contentid, value) ${digits} SELECT n % 4 + 1, n, 'v' FROM s`,
    );
    await run(
      `INSERT INTO ${prefix}site_tmplvar_templates (tmplvarid, templateid, \`rank\`) ${digits} SELECT n, n % 50, n % 7 FROM s WHERE n <= 500`,
    );
    await run(`INSERT INTO ${prefix}document_groups (document_group, document) ${digits} SELECT n % 7 + 1, n FROM s`);
  });
}

async function analyze(database: Database): Promise<void> {
  const tables = ['site_content', 'site_tmplvar_contentvalues', 'site_tmplvar_templates', 'document_groups'];
  for (const table of tables) {
    const sql = `ANALYZE ${database.dialect === 'mariadb' ? 'TABLE ' : ''}${prefix}${table}`;
    if (database.dialect === 'mariadb') await database.select({ sql, params: [] });
    else await database.write((tx) => tx.run({ sql, params: [] }));
  }
}

interface Plan {
  readonly index: string | null;
  readonly sorts: boolean;
  readonly detail: string;
}

async function explain(reader: Reader, statement: { sql: string; params: readonly Param[] }): Promise<Plan> {
  if (reader.dialect === 'mariadb') {
    const sql = `EXPLAIN ${statement.sql}`;
    const [row] = await reader.select({ sql, params: statement.params });
    const [, , , type, , key, , , rows, extra] = row ?? [];
    const detail = `${String(type)} ${String(key)} ${String(rows)} ${String(extra)}`;
    return { index: typeof key === 'string' ? key : null, sorts: /filesort|temporary/.test(String(extra)), detail };
  }
  const rows = await reader.select({ sql: `EXPLAIN QUERY PLAN ${statement.sql}`, params: statement.params });
  const detail = rows.map((row) => String(row[3])).join('; ');
  const found = /SEARCH (\w+) USING (?:COVERING )?INDEX (\w+)/.exec(detail);
  return {
    index: found?.[2]?.replace(`${found[1] ?? ''}_`, '') ?? null,
    sorts: detail.includes('TEMP B-TREE'),
    detail,
  };
}
