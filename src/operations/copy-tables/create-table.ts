/** Makes the table of an extra in a target. SQLite keeps MariaDB's words for types, so that a copy back finds them. */
import type { DialectName } from '../../store/base/database.js';
import { dialectOf } from '../../store/base/dialect.js';
import { type CopyColumn, type CopyIndex, isUniqueInPart, type TableShape, type ValueKind } from './table-shape.js';

interface NewTable {
  readonly source: TableShape;
  readonly name: string;
  readonly dialect: DialectName;
}

export function createTableStatements(table: NewTable): string[] {
  return table.dialect === 'sqlite' ? sqliteStatements(table) : [mariadbStatement(table)];
}

/** The new column must allow what the table holds. */
export function addColumnStatement({ source, name, dialect }: NewTable, column: CopyColumn): string {
  const written = dialect === 'sqlite' ? strictColumn(column) : mariadbColumn(column, source);
  return `ALTER TABLE ${quote(name)} ADD COLUMN ${written}`;
}

const { quote } = dialectOf('mariadb');

function list(names: readonly string[]): string {
  return names.map(quote).join(', ');
}

function sqliteStatements({ source, name }: NewTable): string[] {
  const counter = countingKey(source);
  const lines = [...source.columns.values()].map((column) =>
    column.name === counter ? `${quote(column.name)} INTEGER PRIMARY KEY AUTOINCREMENT` : sqliteColumn(column),
  );
  if (counter === undefined && source.primaryKey.length > 0) lines.push(`PRIMARY KEY (${list(source.primaryKey)})`);
  return [
    `CREATE TABLE IF NOT EXISTS ${quote(name)} (\n  ${lines.join(',\n  ')}\n)`,
    ...source.indexes.map((index) => {
      // Unique as whole texts would be too lax, so the name keeps the lengths for a copy back; `toIndexes` reads them.
      const lengths = isUniqueInPart(index) ? ` unique ${index.parts.map(({ length }) => length ?? '').join(',')}` : '';
      // SQLite has one set of names for tables and indexes; a table's name and `_` can be the start of another table's.
      const own = `${name}.${shortName(index, source)}${lengths}`;
      const columns = list(index.parts.map(({ column }) => column));
      const made = index.unique && lengths === '' ? 'UNIQUE INDEX' : 'INDEX';
      return `CREATE ${made} IF NOT EXISTS ${quote(own)} ON ${quote(name)} (${columns})`;
    }),
  ];
}

/** SQLite can only count by the whole primary key. */
function countingKey(source: TableShape): string | undefined {
  const [first, second] = source.primaryKey;
  return second === undefined && first !== undefined && source.columns.get(first)?.counts ? first : undefined;
}

/** Whether a table made here still counts in the column. */
export function keepsCounting({ name }: CopyColumn, source: TableShape, dialect: DialectName): boolean {
  if (dialect === 'sqlite') return name === countingKey(source);
  return [source.primaryKey[0], ...source.indexes.map(({ parts }) => parts[0]?.column)].includes(name);
}

function sqliteColumn(column: CopyColumn): string {
  if (mariadbWords(column) !== undefined) return strictColumn(column);
  const parts = [quote(column.name), sqliteType(column), column.nullable ? 'NULL' : 'NOT NULL'];
  return [...parts, ...defaultClause(column, 'sqlite')].join(' ').replaceAll('  ', ' ');
}

export const onUpdate = ' on update current_timestamp';
export const counts = ' auto_increment';

/** What SQLite cannot say of a column, so that a copy back has it again. */
function mariadbWords(column: CopyColumn): string | undefined {
  const { declared, changesOnUpdate } = column;
  if (changesOnUpdate || column.counts) return declared + (column.counts ? counts : onUpdate);
  return /^(enum|set)\(|^bit\b/.test(declared) ? declared : undefined;
}

/** STRICT tables know five types, so the name of a constraint holds MariaDB's type; `declaredType` reads it. */
function strictColumn(column: CopyColumn): string {
  const declared = mariadbWords(column) ?? sqliteType(column);
  const named = `CONSTRAINT "${declared.replaceAll('"', '""')}" ${column.nullable ? 'NULL' : 'NOT NULL'}`;
  return [quote(column.name), strictType(column), named, ...defaultClause(column, 'sqlite')].join(' ');
}

/** Undefined for any column that strictColumn did not make. `sql` made the table. */
export function declaredType(sql: string, column: string): string | undefined {
  const at = sql.indexOf(`${quote(column)} `);
  const found = at < 0 ? null : /^`(?:[^`]|``)*` [A-Z]+ CONSTRAINT "((?:[^"]|"")+)"/.exec(sql.slice(at));
  return found?.[1]?.replaceAll('""', '"');
}

const strictTypes: Readonly<Record<Exclude<ValueKind, 'decimal'>, string>> = {
  ...{ integer: 'INTEGER', float: 'REAL', double: 'REAL', text: 'TEXT', time: 'TEXT' },
  ...{ binary: 'BLOB', any: 'ANY', unknown: 'ANY' },
};

function strictType({ kind, declared }: CopyColumn): string {
  if (kind !== 'decimal') return strictTypes[kind];
  return decimalSize(declared).precision <= exactDigits ? 'REAL' : 'TEXT';
}

/** Digits that a SQLite number keeps exactly. */
const exactDigits = 15;

function sqliteType({ declared, kind }: CopyColumn): string {
  if (kind === 'integer') {
    // Words after the parentheses are not SQLite syntax, and the width is for display only.
    const word = /^(unsigned )?[a-z0-9]+/.exec(declared)?.[0] ?? 'int';
    return (/unsigned/.test(declared) && !word.startsWith('unsigned') ? `${word} unsigned` : word).toUpperCase();
  }
  if (kind === 'decimal') {
    const { precision, scale } = decimalSize(declared);
    return `${precision <= exactDigits ? 'DECIMAL' : 'DECIMALTEXT'}(${precision},${scale})`;
  }
  if (kind === 'float') return 'FLOAT4';
  if (kind === 'double') return 'DOUBLE';
  if (/^json/.test(declared)) return 'LONGTEXT';
  return /^uuid|^inet/.test(declared) ? 'VARCHAR(255)' : declared.toUpperCase();
}

function decimalSize(declared: string): { precision: number; scale: number } {
  const [, precision = '10', scale = '0'] = /\((\d+)(?:,\s*(\d+))?\)/.exec(declared) ?? [];
  return { precision: Number(precision), scale: Number(scale) };
}

/** Text compares exactly, as in the tables of our migrations; MySQL before 8.0.17 has only the nearest collation. */
const tableOptions =
  'ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 /*M!100203 COLLATE=utf8mb4_nopad_bin */ /*!50708 COLLATE=utf8mb4_bin */ /*!80017 COLLATE=utf8mb4_0900_bin */ ROW_FORMAT=DYNAMIC';

function mariadbStatement({ source, name }: NewTable): string {
  const columns = [...source.columns.values()];
  const types = new Map(columns.map((column) => [column.name, mariadbType(column, source)]));
  const lines = [
    ...columns.map((column) => mariadbColumn(column, source)),
    ...(source.primaryKey.length > 0 ? [`PRIMARY KEY (${list(source.primaryKey)})`] : []),
    ...source.indexes.map((index) => {
      const parts = indexParts(index, { source, types }).join(', ');
      return `${index.unique ? 'UNIQUE KEY' : 'KEY'} ${quote(shortName(index, source))} (${parts})`;
    }),
  ];
  return `CREATE TABLE IF NOT EXISTS ${quote(name)} (\n  ${lines.join(',\n  ')}\n) ${tableOptions}`;
}

function mariadbColumn(column: CopyColumn, source: TableShape): string {
  const type = mariadbType(column, source);
  const parts = [quote(column.name), type, column.nullable ? 'NULL' : 'NOT NULL'];
  if (column.counts && keepsCounting(column, source, 'mariadb')) return [...parts, 'AUTO_INCREMENT'].join(' ');
  const fallback = defaultClause(column, 'mariadb');
  // MySQL has no defaults of long texts, and reads the end of a comment also inside of quotes.
  const long = fallback.map((text) => `/*M!100201 ${text.replaceAll('*/', "*' '/")} */`);
  parts.push(...(/text$|blob$/.test(type) ? long : fallback));
  if (column.changesOnUpdate) parts.push('ON UPDATE CURRENT_TIMESTAMP');
  return parts.join(' ');
}

function mariadbType(column: CopyColumn, source: TableShape): string {
  if (source.dialect === 'mariadb') return column.declared;
  const type = fromSqlite(column);
  if (!isUniqueColumn(column, source)) return type;
  // A key needs a length; 255 characters of four bytes fit three times into the longest key.
  if (/text$/.test(type)) return 'varchar(255)';
  return /blob$/.test(type) ? 'varbinary(255)' : type;
}

/** SQLite's own words hold more than MariaDB's of the same name, so those become the largest type. */
const fromSqliteWords: readonly (readonly [RegExp, (declared: string) => string])[] = [
  [/^integer$/, () => 'bigint(20)'],
  [/^(tinyint|smallint|mediumint|int|bigint)(\(\d+\))?( unsigned)?$/, (declared) => declared],
  [/^bool/, () => 'tinyint(1)'],
  [/^year/, () => 'year(4)'],
  [
    /^(decimal|decimaltext|dec|numeric|fixed)\( *\d+ *(, *\d+ *)?\)( unsigned)?$/,
    (declared) => declared.replace('decimaltext', 'decimal'),
  ],
  [/^bit\(\d\d?\)$|^(enum|set)\('/i, (declared) => declared],
  [/^float4/, () => 'float'],
  [/^(datetime|timestamp|time)(\(\d\))?$|^date$/, (declared) => declared],
  [/^(varchar\((\d{1,4}|1[0-5]\d{3})\)|char\(([12]?\d{1,2})\))$/, (declared) => declared],
  [/^(tiny|medium|long)text$/, (declared) => declared],
  [/^(tiny|medium|long)blob$|^(var)?binary\(\d{1,4}\)$/, (declared) => declared],
];

function fromSqlite({ declared, kind }: CopyColumn): string {
  const known = fromSqliteWords.find(([word]) => word.test(declared))?.[1];
  if (known !== undefined) return known(declared);
  if (kind === 'integer') return 'bigint(20)';
  if (kind === 'double' || kind === 'float') return 'double';
  if (kind === 'time') return 'datetime(6)';
  return kind === 'binary' ? 'longblob' : 'longtext';
}

function isUniqueColumn({ name }: CopyColumn, { primaryKey, indexes }: TableShape): boolean {
  return (
    primaryKey.includes(name) ||
    indexes.some(
      ({ unique, parts }) => unique && parts.some(({ column, length }) => column === name && length === null),
    )
  );
}

/** Bytes of the longest key, four to a character. */
const longestKey = 3072;
const shortPart = 191;

function indexParts(
  index: CopyIndex,
  { source, types }: { source: TableShape; types: ReadonlyMap<string, string> },
): string[] {
  const isText = (column: string) => /char|text/.test(types.get(column) ?? '');
  const width = (column: string, length: number | null) =>
    length ?? Number(/char\((\d+)\)/.exec(types.get(column) ?? '')?.[1] ?? shortPart);
  const texts = index.parts.filter(({ column }) => isText(column));
  const bytes = texts.reduce((sum, { column, length }) => sum + 4 * width(column, length), 0);
  const fits = bytes <= longestKey - 8 * source.columns.size;
  return index.parts.map(({ column, length }) => {
    const type = types.get(column) ?? '';
    if (length !== null) return `${quote(column)}(${length})`;
    if (/text$|blob$/.test(type)) return `${quote(column)}(${shortPart})`;
    const shortened = !fits && !index.unique && isText(column) && width(column, null) > shortPart;
    return shortened ? `${quote(column)}(${shortPart})` : quote(column);
  });
}

/** SQLite's index names begin with their table's, then a dot, in migrations `_`. */
export function shortName(index: CopyIndex, source: TableShape): string {
  const name = index.name.startsWith('sqlite_autoindex_') ? `unique_${index.name.split('_').at(-1)}` : index.name;
  const hasStart = source.dialect === 'sqlite' && ['.', '_'].some((mark) => name.startsWith(source.name + mark));
  return hasStart ? name.slice(source.name.length + 1) : name;
}

function defaultClause({ fallback, declared }: CopyColumn, dialect: DialectName): string[] {
  if (fallback.kind === 'none') return [];
  if (fallback.kind === 'now') return ['DEFAULT CURRENT_TIMESTAMP'];
  if (fallback.value === null) return ['DEFAULT NULL'];
  // For a bit field a text is its bytes, so a number, for MySQL `b'101'`, is written without quotes, and nothing else is.
  if (/^bit\b/.test(declared)) {
    return /^(\d{1,20}|b'[01]{1,64}')$/.test(fallback.value) ? [`DEFAULT ${fallback.value}`] : [];
  }
  const text = dialect === 'mariadb' ? fallback.value.replaceAll('\\', '\\\\') : fallback.value;
  return [`DEFAULT '${text.replaceAll("'", "''")}'`];
}
