/** Shapes of MariaDB and MySQL tables, from information_schema. */
import type { RawRow, RawValue, Reader } from '../../store/base/database.js';
import {
  type ColumnDefault,
  type CopyColumn,
  type CopyIndex,
  kindOf,
  parseDefault,
  type TableShape,
  type TableShapes,
} from './table-shape.js';

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

export async function readMariadbShapes(reader: Reader, prefix: string): Promise<TableShapes> {
  const params = [prefix.length, prefix];
  const read = (sql: string) => reader.select({ sql, params });
  const [version] = await reader.select({ sql: 'SELECT VERSION()', params: [] });
  // MySQL prints a default text without its quotes.
  const quotesDefaults = /mariadb/i.test(String(version?.[0]));
  const columns = groupByTable(await read(queries.columns));
  const indexes = groupByTable(await read(queries.indexes));
  const shapes = (await read(queries.tables)).map(([name, engine, nextId]): TableShape => {
    const table = String(name);
    const parts = indexes.get(table) ?? [];
    const list = (columns.get(table) ?? []).map((row) => toColumn(row, quotesDefaults));
    return {
      name: table,
      dialect: 'mariadb',
      engine: textOrNull(engine),
      columns: new Map(list.map((column) => [column.name, column])),
      primaryKey: parts.filter((row) => row[1] === 'PRIMARY').map((row) => String(row[3])),
      ...toIndexes(parts.filter((row) => row[1] !== 'PRIMARY')),
      nextId: toNextId(nextId, list),
    };
  });
  return new Map(shapes.map((shape) => [shape.name, shape]));
}

/** MySQL 8 tells NULL for a counter that was never used. */
function toNextId(told: RawValue | undefined, columns: readonly CopyColumn[]): bigint | null {
  if (!columns.some(({ counts }) => counts)) return null;
  return told === null || told === undefined ? 1n : BigInt(String(told));
}

function toColumn(row: RawRow, quotesDefaults: boolean): CopyColumn {
  const [, name, type, nullable, fallback, extra, charset, collation, maxLength] = row;
  const declared = lowerType(String(type));
  const isNullable = nullable === 'YES';
  const more = String(extra).toLowerCase();
  return {
    name: String(name),
    declared,
    kind: kindOf(declared, 'mariadb'),
    nullable: isNullable,
    fallback: toDefault(textOrNull(fallback), { isNullable, quotesDefaults, more }),
    counts: more.includes('auto_increment'),
    computed: /virtual|stored|persistent/.test(more),
    changesOnUpdate: more.includes('on update'),
    charset: textOrNull(charset),
    collation: textOrNull(collation),
    maxLength: maxLength === null || maxLength === undefined ? null : Number(maxLength),
  };
}

/** The words of enum and set are values and keep their case. */
function lowerType(type: string): string {
  return /^(enum|set)\(/i.test(type) ? type : type.toLowerCase();
}

interface DefaultText {
  readonly isNullable: boolean;
  readonly quotesDefaults: boolean;
  readonly more: string;
}

function toDefault(text: string | null, { isNullable, quotesDefaults, more }: DefaultText): ColumnDefault {
  const isLiteral = !quotesDefaults && text !== null && !more.includes('default_generated');
  if (isLiteral && !/^current_timestamp/i.test(text)) return { kind: 'value', value: text };
  return parseDefault(text, isNullable);
}

function toIndexes(rows: readonly RawRow[]): { indexes: CopyIndex[]; specialIndexes: string[] } {
  const indexes = new Map<string, { name: string; unique: boolean; parts: CopyIndex['parts'][number][] }>();
  const special = new Set<string>();
  for (const [, name, nonUnique, column, length, type] of rows) {
    const key = String(name);
    if (column === null || column === undefined || !/^(BTREE|HASH)$/i.test(String(type))) special.add(key);
    const index = indexes.get(key) ?? { name: key, unique: Number(nonUnique) === 0, parts: [] };
    index.parts.push({
      column: String(column),
      length: length === null || length === undefined ? null : Number(length),
    });
    indexes.set(key, index);
  }
  return { indexes: [...indexes.values()].filter(({ name }) => !special.has(name)), specialIndexes: [...special] };
}

function groupByTable(rows: readonly RawRow[]): Map<string, RawRow[]> {
  const groups = new Map<string, RawRow[]>();
  for (const row of rows) {
    const group = groups.get(String(row[0]));
    if (group === undefined) groups.set(String(row[0]), [row]);
    else group.push(row);
  }
  return groups;
}

function textOrNull(value: RawValue | undefined): string | null {
  return value === null || value === undefined ? null : String(value);
}
