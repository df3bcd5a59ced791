/** Lists records of one object: rows, total, cursor, relations and tvs of a plan. */

import type { Paging } from '../query/ast.js';
import type { Caller } from '../query/authorize.js';
import { compileCount } from '../query/compile.js';
import { after, readCursor, writeCursor } from '../query/cursor.js';
import type { ListPlan } from '../query/plan.js';
import type { ContentReader } from './content-reader.js';
import { attachAll, type Truncated } from './includes.js';
import { selectPrepared } from './prepared-rows.js';
import { type FoundRow, foundRow, type LoadedRow, type RowSet } from './select-rows.js';

export interface RecordList {
  readonly rows: readonly FoundRow[];
  /** Rows that meet the conditions, over all pages. */
  readonly total: number;
  readonly hasMore: boolean;
  /** Continues after the last record; null on the last page. */
  readonly nextCursor: string | null;
  readonly truncated: Truncated;
  /** Every change of one of these rows may change the list. */
  readonly dependsOn: readonly RowSet[];
}

/** Runs a list plan. Throws validation_failed for a cursor that does not belong to it, unavailable without a store. */
export async function listRecords(
  reader: ContentReader,
  asked: { readonly plan: ListPlan; readonly paging: Paging; readonly caller: Caller },
): Promise<RecordList> {
  const { plan, paging, caller } = asked;
  const continues = paging.kind === 'cursor' ? after(plan.order, readCursor(plan, paging.cursor, reader.sign)) : null;
  const found = await selectPrepared(reader, plan, {
    // Filters and paging are part of what a plan is remembered by: one statement per plan and page.
    name: JSON.stringify(paging),
    values: [],
    where: () => plan.where,
    ...(continues ? { seek: continues } : {}),
    order: plan.order,
    // One row more than shown: whether there is a next page, without a count.
    limit: paging.limit + 1,
    offset: paging.kind === 'offset' ? paging.offset : 0,
    heavy: plan.heavy ? 'search' : false,
    extra: plan.sort.map((term) => term.field),
  });
  const rows = found.slice(0, paging.limit);
  const hasMore = found.length > paging.limit;
  const total = await totalOf(reader, plan, { paging, shown: rows.length, hasMore });
  const { truncated, dependsOn } = await attachAll(reader, { plan, rows, caller });
  const last = rows.at(-1);
  return {
    rows: rows.map((row) => foundRow(row, plan)),
    total,
    hasMore,
    nextCursor: hasMore && last ? writeCursor(plan, sortValues(last, plan), reader.sign) : null,
    truncated,
    dependsOn: [{ definition: plan.definition, where: plan.where }, ...dependsOn],
  };
}

async function totalOf(
  reader: ContentReader,
  plan: ListPlan,
  page: { readonly paging: Paging; readonly shown: number; readonly hasMore: boolean },
): Promise<number> {
  const before = page.paging.kind === 'offset' ? page.paging.offset : 0;
  const known = before + page.shown + (page.hasMore ? 1 : 0);
  const isLast = !page.hasMore && (page.shown > 0 || before === 0);
  // The last page gives the total without a count, unless a cursor hides how many rows came before.
  if (isLast && page.paging.kind === 'offset') return known;
  const table = reader.table(plan.definition);
  const statement = compileCount({ table, where: plan.where }, reader.dialect);
  const question = { table: table.name, text: JSON.stringify([statement.sql, statement.params]) };
  const total = await reader.totals.get(question, async () => Number((await reader.db.select(statement))[0]?.[0] ?? 0));
  // A shared total may be a moment old: it never contradicts the rows that are shown.
  return page.shown > 0 ? Math.max(total, known) : total;
}

function sortValues(row: LoadedRow, plan: ListPlan): (string | number | null)[] {
  return plan.sort.map((term) => {
    const value = row.raw(term.field);
    return typeof value === 'string' || typeof value === 'number' || value === null ? value : String(value);
  });
}
