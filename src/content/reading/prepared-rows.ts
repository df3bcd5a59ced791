/**
 * Statements of plans: compiled once per plan and reused with other keys or paths. A plan that is remembered keeps its
 * statements; they go with it.
 */

import { compileSelect, type SqlStatement } from '../query/compile.js';
import type { RowPlan } from '../query/plan.js';
import type { OrderTerm, Predicate, Scalar } from '../query/predicate.js';
import type { ContentReader } from './content-reader.js';
import { neededFields } from './includes.js';
import { type LoadedRow, loadRow, type Selection, selectionOf } from './select-rows.js';

interface PreparedSelect {
  /** Distinguishes the statements of one plan; the same name always means the same condition and order. */
  readonly name: string;
  /** Values of this request, in the places that `where` gives them. */
  readonly values: readonly Scalar[];
  /** The condition for given values; called with stand-ins, once per number of values. */
  readonly where: (values: readonly Scalar[]) => Predicate;
  /** Rows after a cursor. */
  readonly seek?: Predicate;
  readonly order: readonly OrderTerm[];
  readonly limit?: number;
  readonly offset?: number;
  readonly heavy?: boolean | 'search';
  /** Fields that are read besides those that the plan needs. */
  readonly extra: readonly string[];
}

interface Prepared {
  readonly selection: Selection;
  readonly statement: SqlStatement;
  /** For each parameter the position of its value, or -1 for one that never changes. */
  readonly slots: readonly number[];
}

const prepared = new WeakMap<RowPlan, Map<string, Prepared>>();

/** Rows of a plan that meet a condition, by a statement that is used once. */
export async function selectPlanned(
  reader: ContentReader,
  plan: RowPlan,
  where: Predicate,
  extra: readonly string[] = [],
): Promise<LoadedRow[]> {
  const { statement, selection } = prepare(reader, plan, {
    name: '',
    values: [],
    where: () => where,
    order: [],
    extra,
  });
  return (await reader.db.select(statement)).map((row) => loadRow(row, selection));
}

/** Runs a statement of the plan and decodes each row once. */
export async function selectPrepared(
  reader: ContentReader,
  plan: RowPlan,
  select: PreparedSelect,
): Promise<LoadedRow[]> {
  const statements = prepared.get(plan) ?? new Map<string, Prepared>();
  prepared.set(plan, statements);
  const name = `${select.name}/${select.values.length}`;
  const known = statements.get(name) ?? prepare(reader, plan, select);
  statements.set(name, known);
  const { statement, slots, selection } = known;
  const params =
    select.values.length === 0
      ? statement.params
      : statement.params.map((fixed, index) => select.values[slots[index] ?? -1] ?? fixed);
  const { sql, heavy } = statement;
  const rows = await reader.db.select(heavy === undefined ? { sql, params } : { sql, params, heavy });
  return rows.map((row) => loadRow(row, selection));
}

function prepare(reader: ContentReader, plan: RowPlan, select: PreparedSelect): Prepared {
  const { definition } = plan;
  const selection = selectionOf(reader, definition, {
    fields: plan.fields,
    needed: [...neededFields(plan), ...select.extra],
  });
  // No value from outside can begin with NUL: requests with it are refused.
  const standIns = select.values.map((_value, index) => `\0${index}`);
  const statement = compileSelect(
    {
      table: reader.table(definition),
      columns: selection.columns,
      where: select.where(standIns),
      order: select.order,
      key: definition.fields[definition.primaryKey]?.column ?? definition.primaryKey,
      ...(select.seek === undefined ? {} : { seek: select.seek }),
      ...(select.limit === undefined ? {} : { limit: select.limit }),
      ...(select.offset === undefined ? {} : { offset: select.offset }),
      ...(select.heavy === undefined ? {} : { heavy: select.heavy }),
    },
    reader.dialect,
  );
  return { selection, statement, slots: statement.params.map((param) => standIns.indexOf(String(param))) };
}
