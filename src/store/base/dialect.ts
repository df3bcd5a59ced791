/** Where SQLite and MariaDB differ in SQL: on both, text compares by code point, and LIKE ignores case, not accents. */
import type { DialectName } from './database.js';

export interface Upsert {
  readonly table: string;
  readonly columns: readonly string[];
  readonly rows?: number;
  /** Of the primary or unique key that may be taken. */
  readonly key: readonly string[];
  /** Columns that an existing row gets from the new one; none leaves it as it is. */
  readonly update: readonly string[];
}

export interface CharacterSet {
  readonly charset: string | null;
  readonly collation: string | null;
}

export interface Dialect {
  readonly name: DialectName;
  quote(identifier: string): string;
  /** For columns that are not `isExact`. MariaDB orders by the first 1,024 bytes. */
  exactText(column: string): string;
  readonly exactMark: string;
  /** Converts the value to the column's character set: MariaDB refuses to compare otherwise. */
  candidateMark(column: CharacterSet): string;
  /** Left side of `… LIKE … ESCAPE '!'` without case. */
  foldedText(column: string): string;
  readonly foldedMark: string;
  orderHint(index: string): string;
  /** Follows a table's alias: the statement finds single rows by the index instead of the primary key. */
  lookupHint(index: string): string;
  readonly keyHint: string;
  readonly inOrderJoin: string;
  /** 0 without a leading number. Only in SELECT: strict mode refuses it elsewhere. */
  textToInteger(column: string): string;
  /** A number that changes with the values of the columns, but for one of 2^32 changes. */
  digest(columns: readonly string[]): string;
  upsert(spec: Upsert): string;
}

const sqlite: Dialect = Object.freeze({
  name: 'sqlite',
  quote: quoteIdentifier,
  exactText: (column: string) => column,
  exactMark: '?',
  candidateMark: () => '?',
  foldedText: (column: string) => `hcd_fold(${column})`,
  foldedMark: 'hcd_fold(?)',
  orderHint: () => '',
  lookupHint: (index: string) => ` INDEXED BY ${quoteIdentifier(index)}`,
  keyHint: '',
  inOrderJoin: 'CROSS JOIN',
  textToInteger: (column: string) => `CAST(${column} AS INTEGER)`,
  digest: (columns: readonly string[]) =>
    `CAST(hcd_digest(${columns.map((one) => `quote(${one})`).join(" || ',' || ")}) AS INTEGER)`,
  upsert(spec: Upsert) {
    const key = spec.key.map(quoteIdentifier).join(', ');
    const set = spec.update.map((name) => `${quoteIdentifier(name)} = excluded.${quoteIdentifier(name)}`).join(', ');
    return `${insert(spec)} ON CONFLICT (${key}) DO ${set === '' ? 'NOTHING' : `UPDATE SET ${set}`}`;
  },
});

/** MariaDB and MySQL have it; hcd_fold on SQLite follows its table of letters. */
const foldingCollation = 'utf8mb4_unicode_520_ci';

const mariadb: Dialect = Object.freeze({
  name: 'mariadb',
  quote: quoteIdentifier,
  // The bytes of UTF-8 sort like the code points; other character sets are converted first.
  exactText: (column: string) => `CAST(CONVERT(${column} USING utf8mb4) AS BINARY)`,
  exactMark: 'CAST(CONVERT(? USING utf8mb4) AS BINARY)',
  candidateMark({ charset, collation }: CharacterSet) {
    if (charset === null || collation === null || charset === 'utf8mb4') return '?';
    return `CONVERT(? USING ${quoteIdentifier(charset)}) COLLATE ${quoteIdentifier(collation)}`;
  },
  foldedText: fold,
  foldedMark: fold('?'),
  // FOR ORDER BY alone would leave the access by reference in place (measured at a million rows).
  orderHint: forceIndex,
  lookupHint: forceIndex,
  keyHint: forceIndex('PRIMARY'),
  inOrderJoin: 'STRAIGHT_JOIN',
  textToInteger: (column: string) => `CAST(${column} AS SIGNED)`,
  // NULL has a value of its own: CONCAT_WS leaves it out.
  digest: (columns: readonly string[]) =>
    `CRC32(CONCAT_WS(X'1F', ${columns.map((one) => `IFNULL(${one}, X'00')`).join(', ')}))`,
  upsert(spec: Upsert) {
    const [first = ''] = spec.key;
    const assignments =
      spec.update.length > 0
        ? spec.update.map((name) => `${quoteIdentifier(name)} = VALUES(${quoteIdentifier(name)})`)
        : [`${quoteIdentifier(first)} = ${quoteIdentifier(first)}`];
    return `${insert(spec)} ON DUPLICATE KEY UPDATE ${assignments.join(', ')}`;
  },
});

export function dialectOf(name: DialectName): Dialect {
  return name === 'sqlite' ? sqlite : mariadb;
}

/** By code point and with trailing spaces, which the plain `_bin` collations ignore. Null is SQLite. */
export function isExactCollation(collation: string | null): boolean {
  if (collation === null) return true;
  const name = collation.toLowerCase();
  return name === 'binary' || name.endsWith('_nopad_bin') || name === 'utf8mb4_0900_bin';
}

function quoteIdentifier(identifier: string): string {
  return `\`${identifier.replaceAll('`', '``')}\``;
}

function forceIndex(index: string): string {
  return ` FORCE INDEX (${quoteIdentifier(index)})`;
}

function fold(expression: string): string {
  return `LOWER(CONVERT(${expression} USING utf8mb4) COLLATE ${foldingCollation}) COLLATE utf8mb4_bin`;
}

function insert({ table, columns, rows = 1 }: Upsert): string {
  const marks = Array.from({ length: rows }, () => `(${columns.map(() => '?').join(', ')})`).join(', ');
  return `INSERT INTO ${quoteIdentifier(table)} (${columns.map(quoteIdentifier).join(', ')}) VALUES ${marks}`;
}

export function containsPattern(text: string): string {
  return `%${text.replaceAll(/[!%_]/g, '!$&')}%`;
}

/** The time of the database in Unix milliseconds. */
export function nowMilliseconds(dialect: DialectName): string {
  return dialect === 'mariadb'
    ? 'CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS UNSIGNED)'
    : "CAST(unixepoch('subsec') * 1000 AS INTEGER)";
}
