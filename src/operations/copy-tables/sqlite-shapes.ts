/** Shapes of SQLite tables, from its schema functions. */
import type { RawRow, Reader } from '../../store/base/database.js';
import { declaredType } from './create-table.js';
import {
  type CopyColumn,
  type CopyIndex,
  kindOf,
  parseDefault,
  type TableShape,
  type TableShapes,
} from './table-shape.js';

const tablesSql = `SELECT t.name, t.sql FROM sqlite_schema AS t
  WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite!_%' ESCAPE '!' AND substr(t.name, 1, ?) = ? ORDER BY t.name`;
const columnsSql = 'SELECT name, type, "notnull", dflt_value, pk, hidden FROM pragma_table_xinfo(?) ORDER BY cid';
const indexesSql = `SELECT i.name, i."unique", i.partial, i.origin, c.name FROM pragma_index_list(?) AS i
  JOIN pragma_index_info(i.name) AS c ORDER BY i.name, c.seqno`;

export async function readSqliteShapes(reader: Reader, prefix: string): Promise<TableShapes> {
  const tables = await reader.select({ sql: tablesSql, params: [prefix.length, prefix] });
  const shapes = new Map<string, TableShape>();
  for (const [name, sql] of tables) shapes.set(String(name), await readShape(reader, String(name), String(sql)));
  return shapes;
}

async function readShape(reader: Reader, name: string, sql: string): Promise<TableShape> {
  const rows = await reader.select({ sql: columnsSql, params: [name] });
  const primaryKey = rows
    .filter((row) => Number(row[4]) > 0)
    .sort((a, b) => Number(a[4]) - Number(b[4]))
    .map((row) => String(row[0]));
  const [first] = primaryKey;
  const key = rows.find((row) => row[0] === first);
  // Only this type makes the column the row's own number; any other word for an integer does not.
  const counting =
    primaryKey.length === 1 && String(key?.[1]).toUpperCase() === 'INTEGER' && !/\bwithout\s+rowid\b/i.test(sql)
      ? first
      : undefined;
  const columns = rows.map((row) => toColumn(row, { counting, sql }));
  return {
    name,
    dialect: 'sqlite',
    engine: null,
    columns: new Map(columns.map((column) => [column.name, column])),
    primaryKey,
    ...toIndexes(await reader.select({ sql: indexesSql, params: [name] })),
    nextId: counting === undefined ? null : await readNextId(reader, { name, counting, sql }),
  };
}

function toColumn(row: RawRow, table: { readonly counting: string | undefined; readonly sql: string }): CopyColumn {
  const [name, type, notNull, fallback, key, hidden] = row;
  const declared = (declaredType(table.sql, String(name)) ?? String(type)).toLowerCase();
  const nullable = Number(notNull) === 0 && Number(key) === 0;
  return {
    name: String(name),
    declared,
    kind: kindOf(declared, 'sqlite'),
    nullable,
    fallback: parseDefault(fallback === null || fallback === undefined ? null : String(fallback), nullable),
    counts: name === table.counting,
    computed: Number(hidden) !== 0,
    changesOnUpdate: false,
    charset: null,
    collation: null,
    maxLength: null,
  };
}

function toIndexes(rows: readonly RawRow[]): { indexes: CopyIndex[]; specialIndexes: string[] } {
  const indexes = new Map<string, { name: string; unique: boolean; parts: { column: string; length: null }[] }>();
  const special = new Set<string>();
  for (const [name, unique, partial, origin, column] of rows) {
    if (origin === 'pk') continue;
    const key = String(name);
    if (Number(partial) === 1 || column === null || column === undefined) special.add(key);
    const index = indexes.get(key) ?? { name: key, unique: Number(unique) === 1, parts: [] };
    index.parts.push({ column: String(column), length: null });
    indexes.set(key, index);
  }
  return { indexes: [...indexes.values()].filter(({ name }) => !special.has(name)), specialIndexes: [...special] };
}

async function readNextId(
  reader: Reader,
  { name, counting, sql }: { name: string; counting: string; sql: string },
): Promise<bigint> {
  const quoted = (text: string) => `\`${text.replaceAll('`', '``')}\``;
  const highest = `SELECT COALESCE(MAX(${quoted(counting)}), 0) FROM ${quoted(name)}`;
  const [row] = await reader.select({ sql: highest, params: [] });
  const used = BigInt(String(row?.[0] ?? 0));
  if (!/\bautoincrement\b/i.test(sql)) return used + 1n;
  const [counter] = await reader.select({ sql: 'SELECT seq FROM sqlite_sequence WHERE name = ?', params: [name] });
  const counted = BigInt(String(counter?.[0] ?? 0));
  return (counted > used ? counted : used) + 1n;
}
