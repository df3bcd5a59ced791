/** Table descriptions and their SQL: Sequelize's `createTable` has no STRICT tables and adds indexes later. */
import type { Migration, MigrationContext } from '../src/store/migrations/migration.js';

export interface Column {
  readonly name: string;
  /** MariaDB type; SQLite gets the storage class that holds the same values. */
  readonly type: string;
  readonly nullable: boolean;
  readonly default?: string | number | null | typeof now;
  readonly extra?: 'auto increment' | 'set on update';
}

/** SQLite indexes the whole text instead of the first `length` characters. */
type IndexColumn = string | { readonly name: string; readonly length: number };

export interface Index {
  readonly name: string;
  readonly columns: readonly IndexColumn[];
  readonly unique?: boolean;
}

export interface Table {
  readonly name: string;
  readonly columns: readonly Column[];
  readonly primaryKey?: readonly string[];
  readonly indexes?: readonly Index[];
}

/** The moment of the INSERT. */
export const now = Symbol('now');

/** Unix milliseconds of the database's clock. */
export const time = 'bigint(20)';
/** SHA-256 in hexadecimal digits. */
export const digest = 'varchar(64)';
export const flag = 'tinyint(1) unsigned';
export const count = 'int(10) unsigned';

/** The database never uses a removed id again. */
export function id(): Column {
  return { name: 'id', type: 'int(10) unsigned', nullable: false, extra: 'auto increment' };
}

/** NOT NULL with a default. */
export function column(name: string, type: string, defaultValue: string | number | typeof now): Column {
  return { name, type, nullable: false, default: defaultValue };
}

export function required(name: string, type: string): Column {
  return { name, type, nullable: false };
}

export function nullable(name: string, type: string, defaultValue: string | number | null = null): Column {
  return { name, type, nullable: true, default: defaultValue };
}

/** MariaDB keeps the time by itself; on SQLite the writer sets it. */
export function changedOn(name: string): Column {
  return { name, type: 'timestamp', nullable: true, default: null, extra: 'set on update' };
}

/** Skips tables that already exist, or are already missing. */
export function stepOf(tables: readonly Table[]): Pick<Migration, 'up' | 'down'> {
  return {
    async up(context) {
      for (const table of tables) {
        for (const sql of createTableSql(context, table)) await context.run(sql);
      }
    },
    async down({ change, prefix }) {
      for (const { name } of tables.toReversed()) {
        await change((queryInterface, transaction) => queryInterface.dropTable(prefix + name, { transaction }));
      }
    },
  };
}

/** Adds at the end of a table; skips columns that already exist, or are already missing. */
export function columnsOf(table: string, columns: readonly Column[]): Pick<Migration, 'up' | 'down'> {
  return {
    async up(context) {
      for (const column of columns) {
        if (await hasColumn(context, table, column.name)) continue;
        const line = context.dialect === 'mariadb' ? mariadbColumn(column) : sqliteColumn(column);
        await context.run(`ALTER TABLE ${quote(context.prefix + table)} ADD COLUMN ${line}`);
      }
    },
    async down(context) {
      // Sequelize's `removeColumn` would build the table again on SQLite, without its indexes.
      for (const { name } of columns.toReversed()) {
        if (!(await hasColumn(context, table, name))) continue;
        await context.run(`ALTER TABLE ${quote(context.prefix + table)} DROP COLUMN ${quote(name)}`);
      }
    },
  };
}

/** False for a table that is missing too. */
async function hasColumn({ dialect, prefix, select }: MigrationContext, table: string, name: string): Promise<boolean> {
  const [whole, column] = [literal(dialect, prefix + table), literal(dialect, name)];
  const from =
    dialect === 'sqlite'
      ? `pragma_table_info(${whole}) WHERE name = ${column}`
      : `information_schema.columns WHERE table_schema = DATABASE() AND table_name = ${whole} AND column_name = ${column}`;
  return (await select(`SELECT 1 FROM ${from}`)).length > 0;
}

function createTableSql({ dialect, prefix }: MigrationContext, table: Table): string[] {
  const name = prefix + table.name;
  const indexes = table.indexes ?? [];
  return dialect === 'mariadb' ? [mariadbTable(name, table, indexes)] : sqliteStatements(name, table, indexes);
}

/** CREATE TABLE has the indexes, so that a crash leaves no half step. */
function mariadbTable(name: string, table: Table, indexes: readonly Index[]): string {
  const lines = [
    ...table.columns.map(mariadbColumn),
    primaryKeyOf(table),
    ...indexes.map((index) => {
      const columns = index.columns.map((part) =>
        typeof part === 'string' ? quote(part) : `${quote(part.name)}(${part.length})`,
      );
      return `${index.unique ? 'UNIQUE KEY' : 'KEY'} ${quote(index.name)} (${columns.join(', ')})`;
    }),
  ];
  return `CREATE TABLE IF NOT EXISTS ${quote(name)} (\n  ${lines.join(',\n  ')}\n) ${tableOptions}`;
}

/** Text compares exactly, as on SQLite. MySQL obeys the last comment it knows; other row formats have short keys. */
const tableOptions = [
  'ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 /*M!100203 COLLATE=utf8mb4_nopad_bin */',
  '/*!50708 COLLATE=utf8mb4_bin */ /*!80017 COLLATE=utf8mb4_0900_bin */ ROW_FORMAT=DYNAMIC',
].join(' ');

function primaryKeyOf({ primaryKey = ['id'] }: Table): string {
  return `PRIMARY KEY (${primaryKey.map(quote).join(', ')})`;
}

function mariadbColumn(column: Column): string {
  const parts = [quote(column.name), column.type, column.nullable ? 'NULL' : 'NOT NULL'];
  if (column.extra === 'auto increment') parts.push('AUTO_INCREMENT');
  if (column.default === now) parts.push('DEFAULT CURRENT_TIMESTAMP');
  else if (column.default !== undefined) parts.push(`DEFAULT ${literal('mariadb', column.default)}`);
  if (column.extra === 'set on update') parts.push('ON UPDATE CURRENT_TIMESTAMP');
  return parts.join(' ');
}

/** STRICT refuses a value of the wrong type, as MariaDB in strict mode does. */
function sqliteStatements(name: string, table: Table, indexes: readonly Index[]): string[] {
  const counted = table.columns.some((column) => column.extra === 'auto increment');
  const lines = table.columns.map(sqliteColumn);
  if (!counted) lines.push(primaryKeyOf(table));
  return [
    `CREATE TABLE IF NOT EXISTS ${quote(name)} (\n  ${lines.join(',\n  ')}\n) STRICT`,
    ...indexes.map((index) => {
      const columns = index.columns.map((part) => quote(typeof part === 'string' ? part : part.name));
      const kind = index.unique ? 'UNIQUE INDEX' : 'INDEX';
      return `CREATE ${kind} IF NOT EXISTS ${quote(`${name}_${index.name}`)} ON ${quote(name)} (${columns.join(', ')})`;
    }),
  ];
}

function sqliteColumn(column: Column): string {
  if (column.extra === 'auto increment') return `${quote(column.name)} INTEGER PRIMARY KEY AUTOINCREMENT`;
  const parts = [quote(column.name), sqliteType(column.type), column.nullable ? 'NULL' : 'NOT NULL'];
  if (column.default === now) parts.push('DEFAULT CURRENT_TIMESTAMP');
  else if (column.default !== undefined) parts.push(`DEFAULT ${literal('sqlite', column.default)}`);
  return parts.join(' ');
}

function sqliteType(type: string): 'INTEGER' | 'REAL' | 'TEXT' {
  if (/^(tiny|small|medium|big)?int\b/.test(type)) return 'INTEGER';
  return /^(double|float)\b/.test(type) ? 'REAL' : 'TEXT';
}

export type Value = string | number | null;

function quote(name: string): string {
  return `\`${name}\``;
}

/** Only MariaDB reads a backslash in a string as an escape. */
function literal(dialect: MigrationContext['dialect'], value: Value): string {
  if (value === null) return 'NULL';
  if (typeof value === 'number') return String(value);
  const text = dialect === 'mariadb' ? value.replaceAll('\\', '\\\\') : value;
  return `'${text.replaceAll("'", "''")}'`;
}

/** Sequelize's `bulkInsert` declares no way to pass over taken keys. */
export async function insertMissing(
  context: MigrationContext,
  table: string,
  rows: readonly Readonly<Record<string, Value>>[],
): Promise<void> {
  const verb = context.dialect === 'mariadb' ? 'INSERT IGNORE INTO' : 'INSERT OR IGNORE INTO';
  for (const row of rows) {
    const names = Object.keys(row).map(quote).join(', ');
    const values = Object.values(row).map((value) => literal(context.dialect, value));
    await context.run(`${verb} ${quote(context.prefix + table)} (${names}) VALUES (${values.join(', ')})`);
  }
}
