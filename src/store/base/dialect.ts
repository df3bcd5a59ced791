/**
 * Where SQLite and MariaDB differ in SQL text, by name. Each entry means the same on both: text is equal when its code
 * points are equal, sorts by code point, and LIKE ignores case but not accents. NULL sorts first ascending and last
 * descending on both by themselves, so that needs no entry.
 */
import type { DialectName } from './database.js';

export interface Upsert {
  /** Real table name. */
  readonly table: string;
  /** Every column of a row, one `?` each. */
  readonly columns: readonly string[];
  /** Rows of one statement; 1 unless it says otherwise. */
  readonly rows?: number;
  /** The columns of the primary or unique key that may be taken. */
  readonly key: readonly string[];
  /** Columns that an existing row gets from the new one; none leaves it as it is. */
  readonly update: readonly string[];
}

/** Of a column; null for columns that hold no text and on SQLite. */
export interface CharacterSet {
  readonly charset: string | null;
  readonly collation: string | null;
}

export interface Dialect {
  readonly name: DialectName;
  quote(identifier: string): string;
  /**
   * The column as an expression that compares and orders by code point; only for columns whose collation does not do
   * that already (`isExact` of a column). MariaDB orders by its first 1,024 bytes.
   */
  exactText(column: string): string;
  /** The placeholder that goes with exactText. */
  readonly exactMark: string;
  /**
   * The placeholder that goes with the column as it is, for the comparison by which an index finds candidates. Where
   * the column has another character set, the value is brought there: MariaDB refuses to compare otherwise.
   */
  candidateMark(column: CharacterSet): string;
  /** Left side of `… LIKE … ESCAPE '!'` without case. */
  foldedText(column: string): string;
  /** The placeholder that goes with foldedText. */
  readonly foldedMark: string;
  /** Text behind a table's alias that makes the statement walk the index. */
  orderHint(index: string): string;
  /** Text behind a table's alias that makes the statement find single rows by the index instead of the primary key. */
  lookupHint(index: string): string;
  /** Text behind a table's alias that makes the statement find single rows by the primary key. */
  readonly keyHint: string;
  /** A join that reads its left side first. */
  readonly inOrderJoin: string;
  /** The whole number at the start of a text, 0 where there is none. Only in SELECT: strict mode refuses it elsewhere. */
  textToInteger(column: string): string;
  /** INSERT of rows, each of which changes the row that holds its key already. */
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
  // SQLite seeks into the index by itself.
  orderHint: () => '',
  lookupHint: (index: string) => ` INDEXED BY ${quoteIdentifier(index)}`,
  // SQLite sees to it itself.
  keyHint: '',
  inOrderJoin: 'CROSS JOIN',
  textToInteger: (column: string) => `CAST(${column} AS INTEGER)`,
  upsert(spec: Upsert) {
    const key = spec.key.map(quoteIdentifier).join(', ');
    const set = spec.update.map((name) => `${quoteIdentifier(name)} = excluded.${quoteIdentifier(name)}`).join(', ');
    return `${insert(spec)} ON CONFLICT (${key}) DO ${set === '' ? 'NOTHING' : `UPDATE SET ${set}`}`;
  },
});

/** Exists in MariaDB and MySQL alike; hcd_fold on SQLite follows its table of letters. */
const foldingCollation = 'utf8mb4_unicode_520_ci';

const mariadb: Dialect = Object.freeze({
  name: 'mariadb',
  quote: quoteIdentifier,
  // The bytes of UTF-8 sort like the code points; other character sets are brought there first.
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
  upsert(spec: Upsert) {
    const [first = ''] = spec.key;
    const assignments =
      spec.update.length > 0
        ? spec.update.map((name) => `${quoteIdentifier(name)} = VALUES(${quoteIdentifier(name)})`)
        : [`${quoteIdentifier(first)} = ${quoteIdentifier(first)}`];
    return `${insert(spec)} ON DUPLICATE KEY UPDATE ${assignments.join(', ')}`;
  },
});

/** The differences of one dialect. */
export function dialectOf(name: DialectName): Dialect {
  return name === 'sqlite' ? sqlite : mariadb;
}

/**
 * Whether comparing in this collation is exact: by code point and with trailing spaces. The plain `_bin` collations
 * ignore trailing spaces. null is SQLite's own way.
 */
export function isExactCollation(collation: string | null): boolean {
  if (collation === null) return true;
  const name = collation.toLowerCase();
  return name === 'binary' || name.endsWith('_nopad_bin') || name === 'utf8mb4_0900_bin';
}

/** Both dialects take back-quotes, which Sequelize uses too. */
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
