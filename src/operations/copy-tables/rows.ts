/** Rows of a table: read in batches by its key, so that memory holds one batch, and written to a target. */
import type { Param, RawRow, RawValue, Reader, Tx } from '../../store/base/database.js';
import { dialectOf } from '../../store/base/dialect.js';
import { type CopyColumn, type Row, readingKey, type TableShape, type WriteRow } from './table-shape.js';

/** The key values of the last row, or the number of rows in a table without a key. */
type Position = readonly RawValue[] | number;

export interface Batch {
  readonly rows: readonly Row[];
  readonly end: Position;
}

interface BatchRead {
  readonly table: TableShape;
  readonly columns: readonly string[];
  readonly after?: Position;
  readonly until?: readonly RawValue[];
  /** Of rows that are equal in these columns only the one with the lowest key is read. */
  readonly distinct?: readonly (readonly string[])[];
}

const mostRows = 1000;
const firstRows = 200;
const batchBytes = 2_000_000;

/** In order of the key, each batch of about 2 MB. */
export async function* readBatches(reader: Reader, read: BatchRead): AsyncGenerator<Batch> {
  const { dialect } = reader;
  const { quote } = dialectOf(dialect);
  const { table } = read;
  const key = readingKey(table);
  const columns = read.columns.map((name) => columnOf(table, name));
  const keyColumns = (key ?? []).map((name) => columnOf(table, name));
  const list = [...columns, ...keyColumns].map((column) => expression(column, dialect)).join(', ');
  const order = key ?? read.columns;
  let position: Position | undefined = read.after;
  let limit = firstRows;
  for (;;) {
    const conditions = [
      ...(Array.isArray(position) ? [compare(keyColumns, { sign: '>', values: position, dialect })] : []),
      ...(read.until === undefined ? [] : [compare(keyColumns, { sign: '<=', values: read.until, dialect })]),
      ...(read.distinct ?? []).map((names) => ({ sql: isFirst(table, { names, key: key ?? [] }), params: [] })),
    ];
    const where = conditions.length > 0 ? `WHERE ${conditions.map(({ sql }) => sql).join(' AND ')}` : '';
    const skipped = typeof position === 'number' ? position : 0;
    const tail = `ORDER BY ${order.map((name) => `${quote(table.name)}.${quote(name)}`).join(', ')} LIMIT ${limit}`;
    const rows = await reader.select({
      sql: `SELECT ${list} FROM ${quote(table.name)} ${where} ${tail}${key === null ? ` OFFSET ${skipped}` : ''}`,
      params: conditions.flatMap(({ params }) => params),
    });
    const last = rows.at(-1);
    if (last === undefined) return;
    const end: Position = key === null ? skipped + rows.length : last.slice(columns.length);
    yield { rows: rows.map((row) => row.slice(0, columns.length)), end };
    if (rows.length < limit) return;
    position = end;
    limit = nextLimit(rows);
  }
}

export async function countRows(reader: Reader, table: string): Promise<number> {
  const sql = `SELECT COUNT(*) FROM ${dialectOf(reader.dialect).quote(table)}`;
  const [row] = await reader.select({ sql, params: [] });
  return Number(row?.[0]);
}

/** The bytes of a batch stay about the same: a table of large texts is read in few rows. */
function nextLimit(rows: readonly RawRow[]): number {
  const bytes = rows.reduce((sum, row) => sum + row.reduce<number>((all, value) => all + sizeOf(value), 0), 0);
  const fitting = Math.floor((batchBytes * rows.length) / Math.max(bytes, 1));
  // Steps of powers of two, so that the server gets few different statements.
  return Math.max(1, Math.min(mostRows, 2 ** Math.floor(Math.log2(Math.max(fitting, 1)))));
}

function sizeOf(value: RawValue): number {
  return typeof value === 'string' || Buffer.isBuffer(value) ? value.length : 8;
}

function columnOf(table: TableShape, name: string): CopyColumn {
  const column = table.columns.get(name);
  if (column === undefined) throw new Error(`the table ${table.name} has no column ${name}`);
  return column;
}

/** The driver would make a floating-point number of a decimal. */
function expression(column: CopyColumn, dialect: Reader['dialect']): string {
  const name = dialectOf(dialect).quote(column.name);
  if (dialect === 'sqlite') return name;
  if (column.kind === 'decimal') return `CAST(${name} AS CHAR)`;
  return /^bit\b/.test(column.declared) ? `${name} + 0` : name;
}

interface Bound {
  readonly sign: '>' | '<=';
  readonly values: readonly RawValue[];
  readonly dialect: Reader['dialect'];
}

/** `(a, b) > (x, y)` or `(a, b) <= (x, y)`, written out because MariaDB finds no index range for the short form. */
function compare(columns: readonly CopyColumn[], { sign, values, dialect }: Bound) {
  const { quote, candidateMark } = dialectOf(dialect);
  const params: Param[] = [];
  const alternatives = columns.map((_, last) => {
    const parts = columns.slice(0, last + 1).map((column, at) => {
      params.push(values[at] ?? null);
      const strict = last < columns.length - 1 && sign === '<=' ? '<' : sign;
      return `${quote(column.name)} ${at === last ? strict : '='} ${candidateMark(column)}`;
    });
    return `(${parts.join(' AND ')})`;
  });
  return { sql: `(${alternatives.join(' OR ')})`, params };
}

function isFirst(table: TableShape, { names, key }: { names: readonly string[]; key: readonly string[] }): string {
  const { quote } = dialectOf(table.dialect);
  const name = quote(table.name);
  const same = names.map((column) => {
    const isText = table.dialect === 'mariadb' && columnOf(table, column).charset !== null;
    const exact = isText ? 'BINARY ' : '';
    return `${exact}d.${quote(column)} = ${exact}${name}.${quote(column)}`;
  });
  const lower = key.map((column) => `d.${quote(column)} < ${name}.${quote(column)}`);
  return `NOT EXISTS (SELECT 1 FROM ${name} AS d WHERE ${[...same, ...lower].join(' AND ')})`;
}

/** Few sizes, so that statements stay prepared. */
const chunkSizes = [64, 8, 1];
/** SQLite takes 32,766 values in a statement; MariaDB twice as many. */
const mostValues = 30_000;
/** Below the smallest packet that a server is configured to take. */
const mostBytes = 4_000_000;

/** Otherwise MariaDB takes the id 0 for a missing one and counts. The connections of copies do nothing else. */
const keepZeros = "SET SESSION sql_mode = CONCAT(@@SESSION.sql_mode, ',NO_AUTO_VALUE_ON_ZERO')";

export interface RowWrite {
  readonly table: string;
  readonly columns: readonly string[];
  readonly rows: readonly WriteRow[];
}

export async function insertRows(tx: Tx, { table, columns, rows }: RowWrite): Promise<void> {
  const { quote } = dialectOf(tx.dialect);
  const start = `INSERT INTO ${quote(table)} (${columns.map(quote).join(', ')}) VALUES `;
  const marks = `(${columns.map(() => '?').join(', ')})`;
  if (tx.dialect === 'mariadb') await tx.run({ sql: keepZeros, params: [] });
  let at = 0;
  while (at < rows.length) {
    const size = chunkSizes.find((one) => fits(rows.slice(at, at + one), one)) ?? 1;
    const chunk = rows.slice(at, at + size);
    await tx.run({ sql: start + new Array(size).fill(marks).join(', '), params: chunk.flat() });
    at += size;
  }
}

function fits(rows: readonly WriteRow[], size: number): boolean {
  if (rows.length < size || size * (rows[0]?.length ?? 0) > mostValues) return false;
  return rows.reduce((sum, row) => sum + bytesOf(row), 0) <= mostBytes;
}

function bytesOf(row: WriteRow): number {
  return row.reduce<number>(
    (sum, value) => sum + (typeof value === 'string' ? 3 * value.length : Buffer.isBuffer(value) ? value.length : 8),
    0,
  );
}

export async function removeRows(tx: Tx, table: string): Promise<void> {
  await tx.run({ sql: `DELETE FROM ${dialectOf(tx.dialect).quote(table)}`, params: [] });
}

/** On MariaDB the statement ends the transaction. */
export async function raiseNextId(tx: Tx, { table, nextId }: { table: string; nextId: bigint }): Promise<void> {
  if (tx.dialect === 'mariadb') {
    await tx.run({ sql: `ALTER TABLE ${dialectOf('mariadb').quote(table)} AUTO_INCREMENT = ${nextId}`, params: [] });
    return;
  }
  const used = nextId - 1n;
  const raised = 'UPDATE sqlite_sequence SET seq = ? WHERE name = ? AND seq < ?';
  await tx.run({ sql: raised, params: [used, table, used] });
  const added =
    'INSERT INTO sqlite_sequence (name, seq) SELECT ?, ? WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = ?)';
  await tx.run({ sql: added, params: [table, used, table] });
}
