/** Reads the actual tables, columns and indexes of a database, in one form for both dialects. */
import { groupBy } from '../../values/batches.js';
import type { RawRow, RawValue, Reader } from './database.js';
import { isExactCollation } from './dialect.js';

export type ColumnType = 'integer' | 'number' | 'text' | 'datetime' | 'binary' | 'json' | 'other';

export interface Column {
  readonly name: string;
  readonly type: ColumnType;
  readonly nullable: boolean;
  /** Characters that the column holds or, on SQLite, declares; null if its limit is not in characters. */
  readonly maxLength: number | null;
  /** Bytes of UTF-8 in a text or blob column of MariaDB; null without such a limit. */
  readonly maxBytes: number | null;
  readonly collation: string | null;
  readonly charset: string | null;
  /** Plain `=` and ORDER BY are by code point, with trailing spaces. */
  readonly isExact: boolean;
  readonly isPrimary: boolean;
  /** Has a default, is nullable or counts by itself. */
  readonly isOptional: boolean;
  /** The database makes its integers by counting. */
  readonly isCounted: boolean;
  /** Null for 64 bits, as in all columns of SQLite, and for other types. */
  readonly range: readonly [smallest: number, largest: number] | null;
}

export interface Index {
  readonly name: string;
  readonly unique: boolean;
  readonly columns: readonly string[];
}

export interface Table {
  readonly name: string;
  /** Null on SQLite, and of a view. MyISAM keeps no transaction. */
  readonly engine: string | null;
  readonly columns: ReadonlyMap<string, Column>;
  readonly indexes: readonly Index[];
}

export type Tables = ReadonlyMap<string, Table>;

export async function readTables(reader: Reader, prefix: string): Promise<Tables> {
  const described = [...(await describeTables(reader, prefix))].map(([name, { engine, columns, parts }]) => {
    const indexes = new Map<string, { name: string; unique: boolean; columns: string[] }>();
    for (const [, index, unique, column] of parts) {
      const known = indexes.get(String(index)) ?? { name: String(index), unique: Number(unique) === 1, columns: [] };
      known.columns.push(String(column ?? ''));
      indexes.set(known.name, known);
    }
    const all = columns.map(toColumn).map((column) => [column.name, column] as const);
    return [name, { name, engine, columns: new Map(all), indexes: [...indexes.values()] }] as const;
  });
  return new Map(described);
}

/** The rows of a table in `Queries`, without computed columns of SQLite unless they are wanted. */
export async function describeTables(reader: Reader, prefix: string, { withComputed = false } = {}) {
  const queries = reader.dialect === 'sqlite' ? sqliteQueries : mariadbQueries;
  const read = (sql: string) => reader.select({ sql, params: [[...prefix].length, prefix] });
  const tables = await read(queries.tables);
  const columns = groupBy(await read(queries.columns), ([table]) => String(table));
  const parts = groupBy(await read(queries.indexes), ([table]) => String(table));
  const isKept = ([, , , , , , extra]: RawRow): boolean => withComputed || extra !== computedInSqlite;
  return new Map(
    tables.map(([table, engine]) => {
      const name = String(table);
      const own = (columns.get(name) ?? []).filter(isKept);
      return [name, { engine: textOrNull(engine), columns: own, parts: parts.get(name) ?? [] }];
    }),
  );
}

interface Queries {
  readonly tables: string;
  /** table, name, type, whole type, nullable, default, extra, length, bytes, collation, charset, place in the key */
  readonly columns: string;
  /** table, name, unique, column, length, kind: `pk` of the primary key */
  readonly indexes: string;
}

const mariadbQueries: Queries = {
  tables: `SELECT table_name, engine FROM information_schema.tables
    WHERE table_schema = DATABASE() AND table_type IN ('BASE TABLE', 'VIEW', 'SYSTEM VERSIONED') AND BINARY LEFT(table_name, ?) = BINARY ? ORDER BY table_name`,
  columns: `SELECT table_name, column_name, data_type, column_type, is_nullable = 'YES', column_default, extra,
    CASE WHEN data_type IN ('char', 'varchar') THEN character_maximum_length END,
    CASE WHEN data_type NOT IN ('char', 'varchar') THEN character_octet_length END,
    collation_name, character_set_name, column_key = 'PRI'
    FROM information_schema.columns WHERE table_schema = DATABASE() AND BINARY LEFT(table_name, ?) = BINARY ? ORDER BY table_name, ordinal_position`,
  indexes: `SELECT table_name, index_name, non_unique = 0, column_name, sub_part,
    CASE WHEN index_name = 'PRIMARY' THEN 'pk' ELSE index_type END FROM information_schema.statistics
    WHERE table_schema = DATABASE() AND BINARY LEFT(table_name, ?) = BINARY ? ORDER BY table_name, index_name, seq_in_index`,
};

const sqliteTables = `sqlite_schema AS t WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite!_%' ESCAPE '!' AND substr(t.name, 1, ?) = ?
    AND t.name NOT IN (SELECT l.name FROM pragma_table_list AS l WHERE l.type IN ('virtual', 'shadow'))`;

const computedInSqlite = 'hidden virtual';

/** An INTEGER that is the primary key without an index, which `DESC` makes, is the row's own number. */
const sqliteQueries: Queries = {
  tables: `SELECT t.name, NULL FROM ${sqliteTables} ORDER BY t.name`,
  columns: `SELECT n.name, c.name, c.type, NULL, c."notnull" = 0 AND c.pk = 0, c.dflt_value,
    CASE WHEN c.hidden <> 0 THEN '${computedInSqlite}' WHEN c.pk = 1 AND upper(c.type) = 'INTEGER'
      AND NOT EXISTS (SELECT 1 FROM pragma_index_list(n.name) AS k WHERE k.origin = 'pk') THEN 'auto_increment' ELSE '' END,
    NULL, NULL, NULL, NULL, c.pk
    FROM (SELECT t.name FROM ${sqliteTables}) AS n JOIN pragma_table_xinfo(n.name) AS c ORDER BY n.name, c.cid`,
  indexes: `SELECT n.name, i.name, i."unique", c.name, NULL, CASE WHEN i.partial = 1 THEN 'partial' ELSE i.origin END
    FROM (SELECT t.name FROM ${sqliteTables}) AS n JOIN pragma_index_list(n.name) AS i JOIN pragma_index_info(i.name) AS c
    ORDER BY n.name, i.name, c.seqno`,
};

function toColumn(row: RawRow): Column {
  const [, name, declared, whole, nullable, fallback, extra, length, bytes, collation, charset, primary] = row;
  const text = String(declared).toLowerCase();
  const isFilled = fallback !== null || /auto_increment|generated/i.test(String(extra));
  return {
    name: String(name),
    type: toType(text),
    nullable: Number(nullable) === 1,
    maxLength: toLimit(length) ?? declaredLength(text),
    maxBytes: toLimit(bytes),
    collation: textOrNull(collation),
    charset: textOrNull(charset),
    isExact: isExactCollation(textOrNull(collation)),
    isPrimary: Number(primary) > 0,
    isOptional: Number(nullable) === 1 || isFilled,
    isCounted: /auto_increment/i.test(String(extra)),
    range: toRange(textOrNull(whole)),
  };
}

const typeWords: readonly (readonly [RegExp, ColumnType])[] = [
  [/json/, 'json'],
  [/date|time/, 'datetime'],
  [/(^|tiny|small|medium|big)int|bool|year|serial/, 'integer'],
  [/char|text|clob|enum|^set\b|uuid|inet/, 'text'],
  [/blob|binary/, 'binary'],
  [/real|floa|doub|dec|num/, 'number'],
];

function toType(declared: string): ColumnType {
  return typeWords.find(([word]) => word.test(declared))?.[1] ?? 'other';
}

const integerBits: Readonly<Record<string, number>> = { tinyint: 8, smallint: 16, mediumint: 24, int: 32 };

/** `int(10) unsigned`. Eight bytes hold every integer that JSON carries exactly. */
function toRange(declared: string | null): readonly [number, number] | null {
  const [, word = '', unsigned] = /^(\w+)(?:\(\d+\))?( unsigned)?/.exec(declared?.toLowerCase() ?? '') ?? [];
  if (word === 'bigint') return unsigned === undefined ? null : [0, Number.MAX_SAFE_INTEGER];
  const bits = integerBits[word];
  if (bits === undefined) return null;
  return unsigned === undefined ? [-(2 ** (bits - 1)), 2 ** (bits - 1) - 1] : [0, 2 ** bits - 1];
}

function toLimit(value: RawValue | undefined): number | null {
  return value === null || value === undefined || Number(value) > 2 ** 30 ? null : Number(value);
}

function declaredLength(declared: string): number | null {
  const match = /char[^(]{0,30}\((\d+)\)/.exec(declared);
  return match === null ? null : Number(match[1]);
}

export function numberOrNull(value: RawValue | undefined): number | null {
  return value === null || value === undefined ? null : Number(value);
}

export function textOrNull(value: RawValue | undefined): string | null {
  return value === null || value === undefined ? null : String(value);
}

export async function hasTable(reader: Reader, name: string): Promise<boolean> {
  const sql =
    reader.dialect === 'mariadb'
      ? 'SELECT 1 AS found FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name = ?'
      : "SELECT 1 AS found FROM sqlite_master WHERE type = 'table' AND name = ?";
  return (await reader.select({ sql, params: [name] })).length > 0;
}
