/** Plans become SQL: the text for each dialect, and the same rows as an evaluation in memory on every database. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compileCount, compileSelect } from '../../../src/content/query/compile.js';
import { after } from '../../../src/content/query/cursor.js';
import { all, type ColumnRef, type OrderTerm, type Predicate } from '../../../src/content/query/predicate.js';
import type { SqlTable } from '../../../src/content/query/sql-statement.js';
import { dialectOf } from '../../../src/store/base/dialect.js';
import type { Store } from '../../../src/store/open/open.js';
import { describeEachDatabase } from '../../support/databases.js';
import { compareRows, type MemoryRow, matches } from '../../support/evaluate.js';
import { openMigrated } from '../../support/migrate.js';
import { patientLimits } from '../../support/patient-limits.js';
import { seed } from '../../support/seed.js';

const table: SqlTable = {
  name: 'modx_site_content',
  documentGroups: 'modx_document_groups',
  indexes: [],
  hasColumn: (column) => column !== 'added_later',
  mayHoldNull: () => true,
  isExact: (column) => column === 'class_key',
  candidateMark: () => '?',
};

const number = (column: string): ColumnRef => ({ column, text: false, nullable: false });
const text = (column: string): ColumnRef => ({ column, text: true, nullable: true });

describe('SQL text', () => {
  const cases: readonly { name: string; where: Predicate; sqlite: string; mariadb: string; params: unknown[] }[] = [
    {
      name: 'a number',
      where: { kind: 'compare', ref: number('parent'), comparison: 'gte', value: 5 },
      sqlite: 't.`parent` >= ?',
      mariadb: 't.`parent` >= ?',
      params: [5],
    },
    {
      name: 'text in a column that compares exactly',
      where: { kind: 'compare', ref: text('class_key'), comparison: 'eq', value: 'a' },
      sqlite: 't.`class_key` = ?',
      mariadb: 't.`class_key` = ?',
      params: ['a'],
    },
    {
      name: 'text in a column that does not',
      where: { kind: 'in', ref: text('alias'), values: ['a', 'b'], negated: false },
      sqlite: 't.`alias` IN (?, ?) AND t.`alias` IN (?, ?)',
      mariadb:
        't.`alias` IN (?, ?) AND CAST(CONVERT(t.`alias` USING utf8mb4) AS BINARY) IN (CAST(CONVERT(? USING utf8mb4) AS BINARY), CAST(CONVERT(? USING utf8mb4) AS BINARY))',
      params: ['a', 'b', 'a', 'b'],
    },
    {
      name: 'a search whose wildcards are literal',
      where: { kind: 'contains', refs: [text('alias')], text: '5%_!' },
      sqlite: "(hcd_fold(t.`alias`) LIKE hcd_fold(?) ESCAPE '!')",
      mariadb:
        "(LOWER(CONVERT(t.`alias` USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) COLLATE utf8mb4_bin LIKE LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) COLLATE utf8mb4_bin ESCAPE '!')",
      params: ['%5!%!_!!%'],
    },
    {
      name: 'resource groups',
      where: { kind: 'resource_groups', ref: number('id'), protecting: [1, 2], granting: [2] },
      sqlite:
        '(NOT EXISTS (SELECT 1 FROM `modx_document_groups` AS g WHERE g.document = t.`id` AND g.document_group IN (?, ?)) OR EXISTS (SELECT 1 FROM `modx_document_groups` AS g WHERE g.document = t.`id` AND g.document_group IN (?)))',
      mariadb:
        '(NOT EXISTS (SELECT 1 FROM `modx_document_groups` AS g WHERE g.document = t.`id` AND g.document_group IN (?, ?)) OR EXISTS (SELECT 1 FROM `modx_document_groups` AS g WHERE g.document = t.`id` AND g.document_group IN (?)))',
      params: [1, 2, 2],
    },
    { name: 'nothing', where: { kind: 'nothing' }, sqlite: '1 = 0', mariadb: '1 = 0', params: [] },
    { name: 'no condition', where: { kind: 'all', of: [] }, sqlite: '1 = 1', mariadb: '1 = 1', params: [] },
  ];
  it.each(cases)('$name', ({ where, sqlite, mariadb, params }) => {
    for (const [name, expected] of [
      ['sqlite', sqlite],
      ['mariadb', mariadb],
    ] as const) {
      const counted = compileCount({ table, where, key: 'id' }, dialectOf(name));
      expect(counted.sql).toBe(`SELECT COUNT(*) FROM \`modx_site_content\` AS t WHERE ${expected}`);
      expect(counted.params).toEqual(params);
    }
  });

  it('counts no more rows than asked', () => {
    for (const name of ['sqlite', 'mariadb'] as const) {
      const where = { kind: 'all', of: [] } as const;
      expect(compileCount({ table, where, key: 'id', most: 4 }, dialectOf(name))).toMatchObject({
        sql: 'SELECT COUNT(*) FROM (SELECT 1 FROM `modx_site_content` AS t WHERE 1 = 1 LIMIT ?) AS few',
        params: [4],
      });
    }
  });

  it('selects columns in order, missing ones as NULL, with order and limit', () => {
    const { sql, params } = compileSelect(
      {
        table,
        columns: ['id', 'added_later', 'alias'],
        where: { kind: 'all', of: [] },
        order: [{ ref: number('menuindex'), direction: 'desc' }],
        limit: 20,
        offset: 40,
        key: 'id',
      },
      dialectOf('mariadb'),
    );
    expect(sql).toBe(
      'SELECT t.`id`, NULL, t.`alias` FROM `modx_site_content` AS t WHERE 1 = 1 ORDER BY t.`menuindex` DESC LIMIT ? OFFSET ?',
    );
    expect(params).toEqual([20, 40]);
  });

  describe('a page after a cursor', () => {
    const indexes = [
      { name: 'visible', columns: ['context_key', 'published', 'id'] },
      { name: 'by_template', columns: ['context_key', 'published', 'template', 'id'] },
      { name: 'by_time', columns: ['published', 'context_key', 'createdon'] },
    ];
    const equals = (column: string): Predicate => ({
      kind: 'compare',
      ref: number(column),
      comparison: 'eq',
      value: 1,
    });
    const by = (...columns: string[]): OrderTerm[] =>
      columns.map((column) => ({ ref: number(column), direction: 'desc' }));
    const more: Predicate = { kind: 'compare', ref: number('menuindex'), comparison: 'gt', value: 1 };
    const cases: readonly [string, Predicate[], OrderTerm[], string | null][] = [
      [
        'walks the index of its conditions and order',
        [equals('context_key'), equals('published')],
        by('id'),
        'visible',
      ],
      [
        'with an equal filter, the index that has it',
        [equals('published'), equals('context_key'), equals('template')],
        by('id'),
        'by_template',
      ],
      [
        'counts the primary key that every index ends with',
        [equals('context_key'), equals('published')],
        by('createdon', 'id'),
        'by_time',
      ],
      [
        'leaves the choice open next to other filters',
        [equals('context_key'), equals('published'), more],
        by('id'),
        null,
      ],
      ['and where no index has the order', [equals('context_key'), equals('published')], by('menuindex', 'id'), null],
    ];
    it.each(cases)('%s', (_name, of, terms, index) => {
      const spec = {
        table: { ...table, indexes },
        columns: ['id'],
        where: { kind: 'all' as const, of },
        order: terms,
        key: 'id',
      };
      const after: Predicate = { kind: 'compare', ref: number('id'), comparison: 'lt', value: 9 };
      const hint = index === null ? '' : ` FORCE INDEX (\`${index}\`)`;
      expect(compileSelect({ ...spec, seek: after }, dialectOf('mariadb')).sql).toContain(
        `FROM \`modx_site_content\` AS t${hint} WHERE`,
      );
      expect(compileSelect({ ...spec, seek: after }, dialectOf('sqlite')).sql).toContain('AS t WHERE');
      expect(compileSelect(spec, dialectOf('mariadb')).sql).toContain('AS t WHERE');
    });
  });

  it('reads a far page by its keys first', () => {
    const { sql } = compileSelect(
      {
        table,
        columns: ['id'],
        where: { kind: 'all', of: [] },
        order: [{ ref: number('id'), direction: 'asc' }],
        limit: 5,
        offset: 5000,
        key: 'id',
      },
      dialectOf('sqlite'),
    );
    expect(sql).toBe(
      'SELECT t.`id` FROM (SELECT t.`id` AS k FROM `modx_site_content` AS t WHERE 1 = 1 ORDER BY t.`id` LIMIT ? OFFSET ?) AS p JOIN `modx_site_content` AS t ON t.`id` = p.k ORDER BY t.`id`',
    );
  });
});

const texts = ['', 'a', 'A', 'ä', 'Ä', 'a ', 'b%', 'B_', 'c!', 'Ж', 'ж', 'zz', '\\', "'", '日本', '😀', 'ab', 'AB'];
const textValue = fc.constantFrom(...texts);
const numberValue = fc.integer({ min: -2, max: 6 });
const comparison = fc.constantFrom('eq', 'neq', 'gt', 'gte', 'lt', 'lte');
const textRef = fc.constantFrom(text('alias'), text('uri'), text('pagetitle'));
const numberRef = fc.constantFrom(number('menuindex'), number('template'), number('createdon'));
const pattern = fc.array(fc.constantFrom('%', '_', 'a', 'B', 'Ж', 'ä', '!', '\\', ' ')).map((signs) => signs.join(''));

const leaf: fc.Arbitrary<Predicate> = fc.oneof(
  fc.record({ kind: fc.constant('compare' as const), ref: textRef, comparison, value: textValue }),
  fc.record({ kind: fc.constant('compare' as const), ref: numberRef, comparison, value: numberValue }),
  fc.record({
    kind: fc.constant('in' as const),
    ref: textRef,
    values: fc.array(textValue, { minLength: 1, maxLength: 4 }),
    negated: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant('in' as const),
    ref: numberRef,
    values: fc.array(numberValue, { minLength: 1, maxLength: 4 }),
    negated: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('null' as const), ref: textRef, unset: fc.constant(null), negated: fc.boolean() }),
  fc.record({ kind: fc.constant('null' as const), ref: numberRef, unset: fc.constant(0), negated: fc.boolean() }),
  fc.record({ kind: fc.constant('like' as const), ref: textRef, pattern }),
  fc.record({
    kind: fc.constant('contains' as const),
    refs: fc.array(textRef, { minLength: 1, maxLength: 2 }),
    text: pattern.filter((one) => one !== ''),
  }),
  fc.constant<Predicate>({ kind: 'nothing' }),
);

const { predicate } = fc.letrec<{ predicate: Predicate }>((tie) => ({
  predicate: fc.oneof(
    { depthSize: 'small' },
    leaf,
    fc.record({
      kind: fc.constantFrom('all' as const, 'any' as const),
      of: fc.array(tie('predicate'), { maxLength: 3 }),
    }),
  ),
}));

const order: fc.Arbitrary<OrderTerm[]> = fc
  .uniqueArray(
    fc.record({ ref: fc.oneof(textRef, numberRef), direction: fc.constantFrom('asc' as const, 'desc' as const) }),
    { maxLength: 3, selector: (term) => term.ref.column },
  )
  .chain((terms) =>
    fc.constantFrom('asc' as const, 'desc' as const).map((direction) => [...terms, { ref: number('id'), direction }]),
  );

describeEachDatabase('compiled plans', (database) => {
  const columns = ['id', 'alias', 'uri', 'pagetitle', 'menuindex', 'template', 'createdon'];
  const rows: MemoryRow[] = Array.from({ length: 60 }, (_, index) => ({
    id: index + 1,
    alias: index % 7 === 0 ? null : (texts[(index * 5) % texts.length] ?? null),
    uri: index % 5 === 0 ? null : (texts[(index * 11) % texts.length] ?? null),
    pagetitle: texts[index % texts.length] ?? '',
    menuindex: index % 6,
    template: (index * 7) % 5,
    createdon: index % 4 === 0 ? 0 : index % 9,
  }));
  let store: Store;
  let exact: SqlTable;

  beforeAll(async () => {
    store = await openMigrated({ databaseUrl: await database.url(), prefix: 'modx_', limits: patientLimits });
    await seed(store, { site_content: rows });
    const found = store.tables.get('modx_site_content')?.columns;
    exact = { ...table, hasColumn: () => true, isExact: (column) => found?.get(column)?.isExact ?? false };
  });
  afterAll(() => store.close());

  const run = async (where: Predicate, terms: readonly OrderTerm[], sqlTable: SqlTable): Promise<number[]> => {
    const statement = compileSelect(
      { table: sqlTable, columns, where, order: terms, key: 'id' },
      dialectOf(database.name),
    );
    return (await store.content.select(statement)).map((row) => Number(row[0]));
  };

  it('find the rows that an evaluation in memory keeps, in its order, by exact and by loose columns', async () => {
    await fc.assert(
      fc.asyncProperty(predicate, order, fc.boolean(), async (where, terms, isLoose) => {
        const expected = rows.filter((row) => matches(where, row)).sort(compareRows(terms));
        const sqlTable = isLoose ? { ...exact, isExact: () => false } : exact;
        expect(await run(where, terms, sqlTable)).toEqual(expected.map((row) => row['id']));
      }),
      { numRuns: 150 },
    );
  });

  it('never find more rows when a condition is added', async () => {
    await fc.assert(
      fc.asyncProperty(predicate, predicate, async (where, policy) => {
        const before = new Set(await run(where, [], exact));
        for (const id of await run(all([where, policy]), [], exact)) expect(before.has(id)).toBe(true);
      }),
      { numRuns: 100 },
    );
  });

  it('continue after a row exactly where the order goes on', async () => {
    await fc.assert(
      fc.asyncProperty(predicate, order, fc.nat({ max: 59 }), async (where, terms, at) => {
        const whole = rows.filter((row) => matches(where, row)).sort(compareRows(terms));
        const last = whole[at % Math.max(1, whole.length)];
        if (!last) return;
        const values = terms.map((term) => last[term.ref.column] ?? null);
        const rest = await run(all([where, after(terms, values)]), terms, exact);
        expect(rest).toEqual(whole.slice(whole.indexOf(last) + 1).map((row) => row['id']));
      }),
      { numRuns: 100 },
    );
  });
});
