/** Reads the shapes of tables: from information_schema, or from the schema functions of SQLite. */

import { numberOrNull, textOrNull } from '../../store/base/columns.js';
import type { RawRow, RawValue, Reader } from '../../store/base/database.js';
import { dialectOf } from '../../store/base/dialect.js';
import { groupBy } from '../../values/batches.js';
import { declaredType, onUpdate } from './create-table.js';
import {
  type CopyColumn,
  type CopyIndex,
  kindOf,
  parseDefault,
  type TableShape,
  type TableShapes,
} from './table-shape.js';

/** By real name, in order of name; views are left out. */
export function readShapes(reader: Reader, prefix: string): Promise<TableShapes> {
  return reader.dialect === 'sqlite' ? readSqliteShapes(reader, prefix) : readMariadbShapes(reader, prefix);
}

const ofPrefix = 'table_schema = DATABASE() AND BINARY LEFT(table_name, ?) = BINARY ?';

const queries = {
  tables: `SELECT table_name, engine, CAST(auto_increment AS CHAR) FROM information_schema.tables
    WHERE ${ofPrefix} AND table_type = 'BASE TABLE' ORDER BY table_name`,
  columns: `SELECT table_name, column_name, column_type, is_nullable, column_default, extra, character_set_name,
    collation_name, CASE WHEN data_type IN ('char', 'varchar') THEN character_maximum_length END
    FROM information_schema.columns WHERE ${ofPrefix} ORDER BY table_name, ordinal_position`,
  indexes: `SELECT table_name, index_name, non_unique, column_name, sub_part, index_type
    FROM information_schema.statistics WHERE ${ofPrefix} ORDER BY table_name, index_name, seq_in_index`,
};

async function readMariadbShapes(reader: Reader, prefix: string): Promise<TableShapes> {
  const params = [[...prefix].length, prefix];
  const read = (sql: string) => reader.select({ sql, params });
  const [version] = await reader.select({ sql: 'SELECT VERSION()', params: [] });
  // MySQL prints a default text without its quotes.
  const quotesDefaults = /mariadb/i.test(String(version?.[0]));
  const columns = groupByTable(await read(queries.columns));
  const indexes = groupByTable(await read(queries.indexes));
  const shapes = (await read(queries.tables)).map(([name, engine, nextId]): TableShape => {
    const table = String(name);
    const parts = indexes.get(table) ?? [];
    const list = (columns.get(table) ?? []).map((row) => mariadbColumn(row, quotesDefaults));
    return {
      name: table,
      dialect: 'mariadb',
      engine: textOrNull(engine),
      columns: new Map(list.map((column) => [column.name, column])),
      primaryKey: parts.filter((row) => row[1] === 'PRIMARY').map((row) => String(row[3])),
      ...toIndexes(parts.filter((row) => row[1] !== 'PRIMARY').map(mariadbIndexPart)),
      nextId: toNextId(nextId, list),
    };
  });
  return new Map(shapes.map((shape) => [shape.name, shape]));
}

/** MySQL 8 returns NULL for a counter that was never used. */
function toNextId(stored: RawValue | undefined, columns: readonly CopyColumn[]): bigint | null {
  if (!columns.some(({ counts }) => counts)) return null;
  return stored === null || stored === undefined ? 1n : BigInt(String(stored));
}

function mariadbColumn(row: RawRow, quotesDefaults: boolean): CopyColumn {
  const [, name, type, nullable, fallback, extra, charset, collation, maxLength] = row;
  const declared = lowerType(String(type));
  const isNullable = nullable === 'YES';
  const more = String(extra).toLowerCase();
  const value = textOrNull(fallback);
  const isExpression = value === null || more.includes('default_generated') || /^current_timestamp/i.test(value);
  return {
    name: String(name),
    declared,
    kind: kindOf(declared, 'mariadb'),
    nullable: isNullable,
    fallback: quotesDefaults || isExpression ? parseDefault(value, isNullable) : { kind: 'value', value },
    counts: more.includes('auto_increment'),
    computed: /virtual|stored|persistent/.test(more),
    changesOnUpdate: more.includes('on update'),
    charset: textOrNull(charset),
    collation: textOrNull(collation),
    maxLength: numberOrNull(maxLength),
  };
}

function mariadbIndexPart([, name, nonUnique, column, length, type]: RawRow): IndexPart {
  const isSpecial = !/^(BTREE|HASH)$/i.test(String(type));
  return { index: String(name), unique: Number(nonUnique) === 0, column, length, isSpecial };
}

/** The words of enum and set are values and keep their case. */
function lowerType(type: string): string {
  return /^(enum|set)\(/i.test(type) ? type : type.toLowerCase();
}

interface IndexPart {
  readonly index: string;
  readonly unique: boolean;
  readonly column: RawValue | undefined;
  readonly length: RawValue | undefined;
  readonly isSpecial: boolean;
}

/** An index on an expression has a part without a column. */
function toIndexes(all: readonly IndexPart[]): { indexes: CopyIndex[]; specialIndexes: string[] } {
  const indexes = new Map<string, { name: string; unique: boolean; parts: CopyIndex['parts'][number][] }>();
  const special = new Set<string>();
  for (const { index: name, unique, column, length, isSpecial } of all) {
    if (isSpecial || column === null || column === undefined) special.add(name);
    const index = indexes.get(name) ?? { name, unique, parts: [] };
    index.parts.push({ column: String(column), length: numberOrNull(length) });
    indexes.set(name, index);
  }
  return { indexes: [...indexes.values()].filter(({ name }) => !special.has(name)), specialIndexes: [...special] };
}

function groupByTable(rows: readonly RawRow[]): Map<string, RawRow[]> {
  return groupBy(rows, ([table]) => String(table));
}

const tablesSql = `SELECT t.name, t.sql FROM sqlite_schema AS t
  WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite!_%' ESCAPE '!' AND substr(t.name, 1, ?) = ?
  AND t.name NOT IN (SELECT l.name FROM pragma_table_list AS l WHERE l.type IN ('virtual', 'shadow')) ORDER BY t.name`;
const columnsSql = 'SELECT name, type, "notnull", dflt_value, pk, hidden FROM pragma_table_xinfo(?) ORDER BY cid';
const indexesSql = `SELECT i.name, i."unique", i.partial, i.origin, c.name FROM pragma_index_list(?) AS i
  JOIN pragma_index_info(i.name) AS c ORDER BY i.name, c.seqno`;

async function readSqliteShapes(reader: Reader, prefix: string): Promise<TableShapes> {
  const tables = await reader.select({ sql: tablesSql, params: [[...prefix].length, prefix] });
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
  const columns = rows.map((row) => sqliteColumn(row, { counting, sql }));
  const indexes = await reader.select({ sql: indexesSql, params: [name] });
  return {
    name,
    dialect: 'sqlite',
    engine: null,
    columns: new Map(columns.map((column) => [column.name, column])),
    primaryKey,
    ...toIndexes(indexes.filter((row) => row[3] !== 'pk').map(sqliteIndexPart)),
    nextId: counting === undefined ? null : await readNextId(reader, { name, counting, sql }),
  };
}

function sqliteColumn(row: RawRow, table: { readonly counting: string | undefined; readonly sql: string }): CopyColumn {
  const [name, type, notNull, fallback, key, hidden] = row;
  const words = lowerType(declaredType(table.sql, String(name)) ?? String(type));
  const changesOnUpdate = words.endsWith(onUpdate);
  const declared = changesOnUpdate ? words.slice(0, -onUpdate.length) : words;
  const nullable = Number(notNull) === 0 && Number(key) === 0;
  return {
    name: String(name),
    declared,
    kind: kindOf(declared, 'sqlite'),
    nullable,
    fallback: parseDefault(textOrNull(fallback), nullable),
    counts: name === table.counting,
    computed: Number(hidden) !== 0,
    changesOnUpdate,
    charset: null,
    collation: null,
    maxLength: null,
  };
}

function sqliteIndexPart([name, unique, partial, , column]: RawRow): IndexPart {
  const isSpecial = Number(partial) === 1;
  return { index: String(name), unique: Number(unique) === 1, column, length: null, isSpecial };
}

async function readNextId(
  reader: Reader,
  { name, counting, sql }: { name: string; counting: string; sql: string },
): Promise<bigint> {
  const { quote } = dialectOf('sqlite');
  const highest = `SELECT COALESCE(MAX(${quote(counting)}), 0) FROM ${quote(name)}`;
  const [row] = await reader.select({ sql: highest, params: [] });
  const used = BigInt(String(row?.[0] ?? 0));
  if (!/\bautoincrement\b/i.test(sql)) return used + 1n;
  const [counter] = await reader.select({ sql: 'SELECT seq FROM sqlite_sequence WHERE name = ?', params: [name] });
  const counted = BigInt(String(counter?.[0] ?? 0));
  return (counted > used ? counted : used) + 1n;
}
