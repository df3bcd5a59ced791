/** Reads a table in batches by its key, so that memory holds one batch. */
import type { Param, RawRow, RawValue, Reader } from '../../store/base/database.js';
import { dialectOf } from '../../store/base/dialect.js';
import { type CopyColumn, type Row, readingKey, type TableShape } from './table-shape.js';

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
