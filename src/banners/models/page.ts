/** Conditions in SQL, and pages of large tables by statements that run off the event loop, which finders do not. */
import type { Param, Reader } from '../../store/base/database.js';
import type { Columns, Model, Row } from '../../store/models/finders.js';

export type Condition = readonly [sql: string, params: readonly Param[]];

export function whereOf(conditions: readonly (Condition | null)[]): {
  readonly where: string;
  readonly params: readonly Param[];
} {
  const given = conditions.filter((one) => one !== null);
  return {
    where: given.length === 0 ? '' : ` WHERE ${given.map(([sql]) => `(${sql})`).join(' AND ')}`,
    params: given.flatMap(([, values]) => values),
  };
}

export interface Page {
  readonly descending: boolean;
  readonly limit: number;
  readonly offset: number;
}

interface PageQuestion<C extends Columns> extends Page {
  readonly conditions: readonly Condition[];
  readonly sort: keyof C & string;
  /** The order of the ids is that of the whole list; else it is always ascending. */
  readonly isWhole?: boolean;
}

export async function readPage<C extends Columns>(
  reader: Reader,
  model: Model<C>,
  { conditions, sort, descending, isWhole = false, limit, offset }: PageQuestion<C>,
): Promise<{ readonly rows: readonly Row<C>[]; readonly total: number }> {
  const { table } = model;
  const heavy = { over: table };
  const { where, params } = whereOf(conditions);
  const direction = descending ? 'DESC' : 'ASC';
  const byId = sort === 'id' ? '' : `, \`id\` ${isWhole ? direction : 'ASC'}`;
  const [rows, totals] = await Promise.all([
    reader.select({
      sql: `SELECT ${model.selectList(reader)} FROM \`${table}\`${where} ORDER BY \`${model.columnOf(sort)}\` ${direction}${byId} LIMIT ? OFFSET ?`,
      params: [...params, limit, offset],
      heavy,
    }),
    reader.select({ sql: `SELECT COUNT(*) FROM \`${table}\`${where}`, params, heavy }),
  ]);
  return { rows: rows.map((row) => model.decode(row)), total: Number(totals[0]?.[0] ?? 0) };
}
