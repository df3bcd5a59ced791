/** Reads the shapes of tables: what both databases say of them, and the next id. */

import { describeTables, numberOrNull, textOrNull } from '../../store/base/columns.js';
import type { DialectName, RawRow, RawValue, Reader } from '../../store/base/database.js';
import { dialectOf } from '../../store/base/dialect.js';
import { counts, declaredType, onUpdate } from './create-table.js';
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
    WHERE table_schema = DATABASE() AND table_type IN ('BASE TABLE', 'SYSTEM VERSIONED') AND BINARY LEFT(table_name, ?) = BINARY ?`,
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

/** What a copy never makes: each query has the name, and the table that it belongs to. */
const otherQueries: Readonly<Record<DialectName, Readonly<Record<string, string>>>> = {
  mariadb: {
    'foreign keys': `SELECT CONCAT(table_name, '.', constraint_name), table_name FROM information_schema.table_constraints
      WHERE table_schema = DATABASE() AND constraint_type = 'FOREIGN KEY'`,
    triggers:
      'SELECT trigger_name, event_object_table FROM information_schema.triggers WHERE event_object_schema = DATABASE()',
    views: 'SELECT table_name, table_name FROM information_schema.views WHERE table_schema = DATABASE()',
  },
  sqlite: {
    'foreign keys': `SELECT t.name || '.' || group_concat(f."from"), t.name
      FROM sqlite_schema AS t JOIN pragma_foreign_key_list(t.name) AS f WHERE t.type = 'table' GROUP BY t.name, f.id`,
    triggers: "SELECT name, tbl_name FROM sqlite_schema WHERE type = 'trigger'",
    views: "SELECT name, name FROM sqlite_schema WHERE type = 'view'",
    'virtual tables': "SELECT name, name FROM sqlite_schema WHERE type = 'table' AND sql LIKE 'CREATE VIRTUAL%'",
  },
};

/** Names by kind, of tables with a name that is wanted. */
export async function readOthers(
  reader: Reader,
  isWanted: (table: string) => boolean,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, readonly string[]>();
  for (const [kind, sql] of Object.entries(otherQueries[reader.dialect])) {
    const rows = await reader.select({ sql, params: [] });
    const names = rows.filter(([, table]) => isWanted(String(table))).map(([name]) => String(name));
    found.set(kind, names.toSorted());
  }
  return found;
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
  const [, name, type, whole, isNullable, initial, extra, , , collation, charset] = row;
  const more = String(extra).toLowerCase();
  const words = lowerType((sql === null ? undefined : declaredType(sql, String(name))) ?? String(whole ?? type));
  const mark = [onUpdate, counts].find((one) => words.endsWith(one)) ?? '';
  const declared = words.slice(0, words.length - mark.length);
  const computed = /virtual|stored|persistent/.test(more);
  const dialect = sql === null ? 'mariadb' : 'sqlite';
  const kind = kindOf(declared, dialect);
  // A value that cannot be copied becomes NULL.
  const nullable = Number(isNullable) === 1 || kind === 'unknown';
  const value = textOrNull(initial);
  const isExpression = value === null || more.includes('default_generated') || /^current_timestamp/i.test(value);
  const fallback: CopyColumn['fallback'] =
    quotesDefaults || isExpression ? parseDefault(value, { nullable, dialect }) : { kind: 'value', value };
  return {
    ...{ name: String(name), declared, kind, nullable, fallback },
    isCalculated: value !== null && fallback.kind === 'none',
    counts: more.includes('auto_increment') || (mark === counts && !computed),
    computed,
    changesOnUpdate: mark === onUpdate || more.includes('on update'),
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
    // A copy to SQLite keeps in the name what was unique.
    const [name = '', lengths] = kind === 'c' ? String(text).split(/ unique (?=[\d,]+$)/) : [String(text)];
    if (!/^(btree|hash|c|u)$/i.test(String(kind)) || column === null) special.add(name);
    const index = indexes.get(name) ?? { name, unique: Number(unique) === 1 || lengths !== undefined, parts: [] };
    const kept = Number(lengths?.split(',')[index.parts.length]) || null;
    index.parts.push({ column: String(column), length: numberOrNull(length) ?? kept });
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
  // Only STRICT tables refuse texts in the column.
  const highest = `SELECT COALESCE(MAX(${quote(counting)}), 0) FROM ${quote(name)} WHERE typeof(${quote(counting)}) = 'integer'`;
  const [row] = await reader.select({ sql: highest, params: [] });
  const used = BigInt(String(row?.[0] ?? 0));
  if (!/\bauto_?increment\b/i.test(text ?? '')) return used + 1n;
  const [counter] = await reader.select({ sql: 'SELECT seq FROM sqlite_sequence WHERE name = ?', params: [name] });
  const counted = BigInt(String(counter?.[0] ?? 0));
  return (counted > used ? counted : used) + 1n;
}
