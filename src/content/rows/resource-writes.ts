/** Statements that write resources: one row with all its values, many rows in batches, and the removal of a row. */
import { systemClock } from '../../clock/clock.js';
import type { Param, Tx } from '../../store/base/database.js';
import type { ResourceTable } from './resource-rows.js';

type ColumnValues = Readonly<Record<string, Param>>;

/** Rows in one statement. */
const batchSize = 200;

/** Inserts the row and gives its id. Columns that the table lacks are left out, those that it has beyond get a value. */
export async function insertResource(tx: Tx, table: ResourceTable, values: ColumnValues): Promise<number> {
  const row: Record<string, Param> = {};
  for (const [name, value] of Object.entries(values)) if (table.columns.has(name)) row[name] = value;
  for (const [name, column] of table.columns) {
    // Columns of extras without a default would make the CMS's own strict mode refuse the row.
    if (!column.isOptional && !Object.hasOwn(row, name)) row[name] = emptyValue(column.type);
  }
  const names = Object.keys(row);
  const { lastId } = await tx.run({
    sql: `INSERT INTO \`${table.name}\` (${names.map(quote).join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
    params: Object.values(row),
  });
  return lastId;
}

function emptyValue(type: string): Param {
  if (type === 'integer' || type === 'number') return 0;
  return type === 'datetime' ? '1970-01-01 00:00:00' : '';
}

/** Changes columns of one row. */
export async function updateResourceRow(
  tx: Tx,
  table: ResourceTable,
  change: { readonly id: number; readonly values: ColumnValues },
): Promise<void> {
  const entries = Object.entries(change.values).filter(([name]) => table.columns.has(name));
  if (entries.length === 0) return;
  await tx.run({
    sql: `UPDATE \`${table.name}\` SET ${entries.map(([name]) => `${quote(name)} = ?`).join(', ')} WHERE \`id\` = ?`,
    params: [...entries.map(([, value]) => value), change.id],
  });
}

export interface SharedChange {
  readonly rows: readonly { readonly id: number; readonly uri: string | null }[];
  /** What all of the rows get. */
  readonly values: ColumnValues;
  /** Each row gets its own URI too. */
  readonly setsUri: boolean;
}

/** Gives many rows the same values, and each its URI, in statements of bounded size. */
export async function updateResourceRows(tx: Tx, table: ResourceTable, change: SharedChange): Promise<void> {
  const shared = Object.entries(change.values).filter(([name]) => table.columns.has(name));
  for (let at = 0; at < change.rows.length; at += batchSize) {
    // As in the reading of a branch: others get their turn between statements.
    if (at > 0) await systemClock.sleep(0);
    const rows = change.rows.slice(at, at + batchSize);
    const sets = shared.map(([name]) => `${quote(name)} = ?`);
    const params: Param[] = shared.map(([, value]) => value);
    if (change.setsUri) {
      sets.push(`\`uri\` = CASE \`id\` ${rows.map(() => 'WHEN ? THEN ?').join(' ')} ELSE \`uri\` END`);
      for (const { id, uri } of rows) params.push(id, uri);
    }
    if (sets.length === 0) return;
    await tx.run({
      sql: `UPDATE \`${table.name}\` SET ${sets.join(', ')} WHERE \`id\` IN (${rows.map(() => '?').join(', ')})`,
      params: [...params, ...rows.map(({ id }) => id)],
    });
  }
}

/** Tables that hold rows about a resource, and the column with its id. */
const dependents: readonly (readonly [table: string, column: string])[] = [
  ['site_tmplvar_contentvalues', 'contentid'],
  ['document_groups', 'document'],
  ['context_resource', 'resource'],
];

/** Removes the row, its template variable values, its resource groups and its links to contexts. */
export async function deleteResourceRow(
  tx: Tx,
  target: { readonly prefix: string; readonly id: number; readonly hasTable: (name: string) => boolean },
): Promise<void> {
  const { prefix, id } = target;
  for (const [table, column] of [...dependents, ['site_content', 'id'] as const]) {
    if (!target.hasTable(`${prefix}${table}`)) continue;
    await tx.run({ sql: `DELETE FROM \`${prefix}${table}\` WHERE \`${column}\` = ?`, params: [id] });
  }
}

function quote(name: string): string {
  return `\`${name}\``;
}
