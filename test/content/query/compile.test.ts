/** Plans become SQL: the text for each dialect, and the same rows as an evaluation in memory on every database. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { compileSelect } from '../../../src/content/query/compile.js';
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
