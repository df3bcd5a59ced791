/** Reads the shapes of tables: what both databases say of them, and the next id. */

import { describeTables, numberOrNull, textOrNull } from '../../store/base/columns.js';
import type { RawRow, RawValue, Reader } from '../../store/base/database.js';
import { dialectOf } from '../../store/base/dialect.js';
import { declaredType, onUpdate } from './create-table.js';
import {
  type CopyColumn,
  type CopyIndex,
  kindOf,
  parseDefault,
  type TableShape,
  type TableShapes,
} from './table-shape.js';

const queries = {
  mariadb: `SELECT table_name, CAST(auto_increment AS CHAR) FROM information_schema.tables
    WHERE table_schema = DATABASE() AND table_type = 'BASE TABLE' AND BINARY LEFT(table_name, ?) = BINARY ?`,
  sqlite: "SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND substr(name, 1, ?) = ?",
};

/** By real name, in order of name; views are left out. */
export async function readShapes(reader: Reader, prefix: string): Promise<TableShapes> {
  const { dialect } = reader;
  const quotesDefaults = dialect === 'sqlite' || (await isMariadb(reader));
  const found = await reader.select({ sql: queries[dialect], params: [[...prefix].length, prefix] });
  const more = new Map(found.map(([name, text]) => [String(name), textOrNull(text)]));
  const shapes = new Map<string, TableShape>();
  for (const [name, { engine, columns, parts }] of await describeTables(reader, prefix, { withComputed: true })) {
    const text = more.get(name);
    if (text === undefined) continue;
    const sql = dialect === 'sqlite' ? (text ?? '') : null;
    const list = columns.map((row) => columnOf(row, { sql, quotesDefaults }));
    const counting = list.find(({ counts }) => counts)?.name;
    const keyed = dialect === 'sqlite' ? keyOf(columns) : parts.filter(isOfKey).map((row) => row[3]);
    shapes.set(name, {
      ...{ name, dialect, engine, columns: new Map(list.map((column) => [column.name, column])) },
      primaryKey: keyed.map(String),
      ...toIndexes(parts.filter((row) => !isOfKey(row))),
      nextId: counting === undefined ? null : await readNextId(reader, { name, counting, text }),
    });
  }
  return shapes;
}

/** MySQL prints a default text without its quotes. */
async function isMariadb(reader: Reader): Promise<boolean> {
  const [version] = await reader.select({ sql: 'SELECT VERSION()', params: [] });
  return /mariadb/i.test(String(version?.[0]));
}

function keyOf(columns: readonly RawRow[]): readonly (RawValue | undefined)[] {
  const place = (row: RawRow): number => Number(row.at(-1));
  const keyed = columns.filter((row) => place(row) > 0);
  return keyed.sort((one, other) => place(one) - place(other)).map((row) => row[1]);
}

function isOfKey(part: RawRow): boolean {
  return part[5] === 'pk';
}

function columnOf(
  row: RawRow,
  { sql, quotesDefaults }: { readonly sql: string | null; readonly quotesDefaults: boolean },
): CopyColumn {
  const [, name, type, whole, isNullable, fallback, extra, , , collation, charset] = row;
  const more = String(extra).toLowerCase();
  const words = lowerType((sql === null ? undefined : declaredType(sql, String(name))) ?? String(whole ?? type));
  const isMarked = words.endsWith(onUpdate);
  const declared = isMarked ? words.slice(0, -onUpdate.length) : words;
  const nullable = Number(isNullable) === 1;
  const value = textOrNull(fallback);
  const isExpression = value === null || more.includes('default_generated') || /^current_timestamp/i.test(value);
  return {
    name: String(name),
    declared,
    kind: kindOf(declared, sql === null ? 'mariadb' : 'sqlite'),
    nullable,
    fallback: quotesDefaults || isExpression ? parseDefault(value, nullable) : { kind: 'value', value },
    counts: more.includes('auto_increment'),
    computed: /virtual|stored|persistent/.test(more),
    changesOnUpdate: isMarked || more.includes('on update'),
    charset: textOrNull(charset),
    collation: textOrNull(collation),
  };
}

/** The words of enum and set are values and keep their case. */
function lowerType(type: string): string {
  return /^(enum|set)\(/i.test(type) ? type : type.toLowerCase();
}

/** An index on an expression has a part without a column; others are full text, spatial or partial. */
function toIndexes(parts: readonly RawRow[]): { indexes: CopyIndex[]; specialIndexes: string[] } {
  const indexes = new Map<string, { name: string; unique: boolean; parts: CopyIndex['parts'][number][] }>();
  const special = new Set<string>();
  for (const [, text, unique, column, length, kind] of parts) {
    const name = String(text);
    if (!/^(btree|hash|c|u)$/i.test(String(kind)) || column === null) special.add(name);
    const index = indexes.get(name) ?? { name, unique: Number(unique) === 1, parts: [] };
    index.parts.push({ column: String(column), length: numberOrNull(length) });
    indexes.set(name, index);
  }
  return { indexes: [...indexes.values()].filter(({ name }) => !special.has(name)), specialIndexes: [...special] };
}

/** MySQL 8 returns NULL for a counter that was never used. */
async function readNextId(
  reader: Reader,
  { name, counting, text }: { readonly name: string; readonly counting: string; readonly text: string | null },
): Promise<bigint> {
  if (reader.dialect === 'mariadb') return BigInt(text ?? 1);
  const { quote } = dialectOf('sqlite');
  const highest = `SELECT COALESCE(MAX(${quote(counting)}), 0) FROM ${quote(name)}`;
  const [row] = await reader.select({ sql: highest, params: [] });
  const used = BigInt(String(row?.[0] ?? 0));
  if (!/\bautoincrement\b/i.test(text ?? '')) return used + 1n;
  const [counter] = await reader.select({ sql: 'SELECT seq FROM sqlite_sequence WHERE name = ?', params: [name] });
  const counted = BigInt(String(counter?.[0] ?? 0));
  return (counted > used ? counted : used) + 1n;
}
