/** Adds many rows, or replaces those with the same keys, in few statements of bounded size. */
import type { Param, Tx } from '../base/database.js';
import { dialectOf, type Upsert } from '../base/dialect.js';

/** Of one statement, unless a single row has more. */
const mostRows = 200;
const mostLetters = 250_000;

/** Columns outside the key get the values of the new row. */
export async function upsertRows<Name extends string>(
  tx: Pick<Tx, 'dialect' | 'run'>,
  { table, columns, key }: Pick<Upsert, 'table'> & { readonly columns: readonly Name[]; readonly key: readonly Name[] },
  rows: readonly Readonly<Record<Name, Param>>[],
): Promise<void> {
  const { upsert } = dialectOf(tx.dialect);
  const update = columns.filter((name) => !key.includes(name));
  for (const some of statementsOf(rows.map((row) => columns.map((name) => row[name])))) {
    await tx.run({ sql: upsert({ table, columns, key, update, rows: some.length }), params: some.flat() });
  }
}

function* statementsOf(rows: readonly (readonly Param[])[]): Generator<readonly (readonly Param[])[]> {
  let some: (readonly Param[])[] = [];
  let letters = 0;
  for (const row of rows) {
    const more = row.reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 0), 0);
    if (some.length === mostRows || (some.length > 0 && letters + more > mostLetters)) {
      yield some;
      some = [];
      letters = 0;
    }
    some.push(row);
    letters += more;
  }
  if (some.length > 0) yield some;
}
