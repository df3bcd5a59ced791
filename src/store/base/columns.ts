/** Reads the actual tables, columns and indexes of a database, in one form for both dialects. */
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
  const queries = reader.dialect === 'sqlite' ? sqliteQueries : mariadbQueries;
  const params = [[...prefix].length, prefix];
  const tables = new Map<string, Builder>();
  for (const [name, engine] of await reader.select({ sql: queries.tables, params })) {
    tables.set(String(name), { engine: textOrNull(engine), columns: new Map(), indexes: new Map() });
  }
  for (const row of await reader.select({ sql: queries.columns, params })) {
    const column = toColumn(row);
    tables.get(String(row[0]))?.columns.set(column.name, column);
  }
  for (const [table, name, unique, column] of await reader.select({ sql: queries.indexes, params })) {
    const indexes = tables.get(String(table))?.indexes;
    const index = indexes?.get(String(name)) ?? { name: String(name), unique: Number(unique) === 1, columns: [] };
    index.columns.push(String(column));
    indexes?.set(index.name, index);
  }
  return new Map([...tables].map(([name, built]) => [name, { ...built, name, indexes: [...built.indexes.values()] }]));
}

interface Builder {
  readonly engine: string | null;
  readonly columns: Map<string, Column>;
  readonly indexes: Map<string, { name: string; unique: boolean; columns: string[] }>;
}

interface Queries {
  readonly tables: string;
  /** table, name, declared type, nullable, length, collation, charset, primary, optional, bytes, counted, whole type */
  readonly columns: string;
  readonly indexes: string;
}

const mariadbQueries: Queries = {
  tables: `SELECT table_name, engine FROM information_schema.tables
    WHERE table_schema = DATABASE() AND table_type IN ('BASE TABLE', 'VIEW') AND BINARY LEFT(table_name, ?) = BINARY ? ORDER BY table_name`,
  columns: `SELECT table_name, column_name, data_type, is_nullable = 'YES',
    CASE WHEN data_type IN ('char', 'varchar') THEN character_maximum_length END, collation_name, character_set_name,
    column_key = 'PRI', column_default IS NOT NULL OR extra LIKE '%auto_increment%' OR extra LIKE '%GENERATED%',
    CASE WHEN data_type NOT IN ('char', 'varchar') THEN character_octet_length END, extra LIKE '%auto_increment%', column_type
    FROM information_schema.columns WHERE table_schema = DATABASE() AND BINARY LEFT(table_name, ?) = BINARY ? ORDER BY table_name, ordinal_position`,
  indexes: `SELECT table_name, index_name, non_unique = 0, COALESCE(column_name, '') FROM information_schema.statistics
    WHERE table_schema = DATABASE() AND BINARY LEFT(table_name, ?) = BINARY ? ORDER BY table_name, index_name, seq_in_index`,
};

const sqliteTables = `sqlite_schema AS t WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite!_%' ESCAPE '!' AND substr(t.name, 1, ?) = ?
    AND t.name NOT IN (SELECT l.name FROM pragma_table_list AS l WHERE l.type IN ('virtual', 'shadow'))`;

/** An INTEGER that is the whole primary key is the row's own number. */
const sqliteCounts = `(c.pk = 1 AND upper(c.type) = 'INTEGER'
      AND (SELECT COUNT(*) FROM pragma_table_info(n.name) AS k WHERE k.pk > 0) = 1)`;

const sqliteQueries: Queries = {
  tables: `SELECT t.name, NULL FROM ${sqliteTables} ORDER BY t.name`,
  columns: `SELECT n.name, c.name, c.type, c."notnull" = 0 AND c.pk = 0, NULL, NULL, NULL,
    c.pk > 0, c.dflt_value IS NOT NULL OR ${sqliteCounts}, NULL, ${sqliteCounts}, NULL
    FROM (SELECT t.name FROM ${sqliteTables}) AS n JOIN pragma_table_info(n.name) AS c ORDER BY n.name, c.cid`,
  indexes: `SELECT n.name, i.name, i."unique", COALESCE(c.name, '')
    FROM (SELECT t.name FROM ${sqliteTables}) AS n JOIN pragma_index_list(n.name) AS i JOIN pragma_index_info(i.name) AS c
    ORDER BY n.name, i.name, c.seqno`,
};

function toColumn(row: RawRow): Column {
  const [, name, declared, nullable, length, collation, charset, primary, filled, bytes, counted, whole] = row;
  const text = String(declared).toLowerCase();
  return {
    name: String(name),
    type: toType(text),
    nullable: Number(nullable) === 1,
    maxLength: toLimit(length) ?? declaredLength(text),
    maxBytes: toLimit(bytes),
    collation: textOrNull(collation),
    charset: textOrNull(charset),
    isExact: isExactCollation(textOrNull(collation)),
    isPrimary: Number(primary) === 1,
    isOptional: Number(nullable) === 1 || Number(filled) === 1,
    isCounted: Number(counted) === 1,
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
