/** The two SQLite libraries behind one interface. Everything is synchronous, as both are. */
import type BetterSqlite3 from 'better-sqlite3';
import type { Param, RawRow, RawValue } from '../base/database.js';
import { SqliteFailure, toSqliteFailure } from './failure.js';
import { loadNodeSqlite } from './load-node-sqlite.js';

export type SqliteParam = Param | Uint8Array;

export type SqliteParams = readonly SqliteParam[] | Readonly<Record<string, SqliteParam>>;

export interface SqliteDriver {
  readonly name: 'better-sqlite3' | 'node:sqlite';
  readonly version: string;
  /** False: texts with a NUL are cut when read, so none is written. */
  readonly keepsNul: boolean;
  /** Without settings; use openConnection instead. */
  open(options: { readonly path: string; readonly readonly: boolean }): SqliteHandle;
}

export interface SqliteHandle {
  readonly inTransaction: boolean;
  prepare(sql: string): SqliteStatement;
  exec(sql: string): void;
  registerFunction(name: string, work: (value: unknown) => string | null): void;
  close(): void;
}

export interface SqliteStatement {
  readonly returnsRows: boolean;
  readonly columns: readonly string[];
  /** Integers are numbers if exact, else bigint. */
  rows(params: SqliteParams): RawRow[];
  run(params: SqliteParams): { readonly changes: number; readonly lastId: number };
}

/** The first choice on newer Node. Undefined when this Node has no node:sqlite, or one too old to return rows as arrays. */
export function loadNodeDriver(found: unknown = loadNodeSqlite()): SqliteDriver | undefined {
  const sqlite = decodeModule(found);
  if (sqlite === undefined) return undefined;
  const probe = new sqlite.DatabaseSync(':memory:', {});
  try {
    const statement = probe.prepare("SELECT sqlite_version(), 'a' || char(0) || 'b'");
    if (!('setReturnArrays' in statement) || !('isTransaction' in probe)) return undefined;
    statement.setReturnArrays(true);
    const [version, text] = statement.all()[0] ?? [];
    const keepsNul = text === 'a\0b';
    return {
      name: 'node:sqlite',
      version: String(version),
      keepsNul,
      open: ({ path, readonly }) => {
        const database = translated(() => new sqlite.DatabaseSync(path, { readOnly: readonly }));
        const prepare = (sql: string) => nodeStatement(database.prepare(sql), { sql, keepsNul });
        return handleOf(database, { prepare, isInTransaction: () => database.isTransaction });
      },
    };
  } finally {
    probe.close();
  }
}

/** Undefined where the package is not installed. */
export async function loadBetterDriver(): Promise<SqliteDriver | undefined> {
  let Database: typeof BetterSqlite3;
  let version: string;
  try {
    Database = (await import('better-sqlite3')).default;
    // The native part is loaded by the first database, not by the import.
    const probe = new Database(':memory:');
    version = String(probe.prepare('SELECT sqlite_version()').pluck().get());
    probe.close();
  } catch {
    return undefined;
  }
  return {
    name: 'better-sqlite3',
    version,
    keepsNul: true,
    open: ({ path, readonly }) => {
      const database = translated(() => new Database(path, { readonly, fileMustExist: true, timeout: 0 }));
      const prepare = (sql: string) => betterStatement(database.prepare(sql));
      return handleOf(database, { prepare, isInTransaction: () => database.inTransaction });
    },
  };
}

/** The used part of node:sqlite, which the types of Node 20 do not have. */
interface NodeSqlite {
  readonly DatabaseSync: new (path: string, options: { readOnly?: boolean; timeout?: number }) => NodeDatabase;
}

interface NodeDatabase extends LibraryDatabase {
  readonly isTransaction: boolean;
  prepare(sql: string): NodeStatement;
}

interface NodeStatement {
  columns(): readonly { readonly name: string }[];
  setReturnArrays(enabled: boolean): void;
  setReadBigInts(enabled: boolean): void;
  all(...params: readonly unknown[]): unknown[][];
  run(...params: readonly unknown[]): { changes: number | bigint; lastInsertRowid: number | bigint };
}

function decodeModule(found: unknown): NodeSqlite | undefined {
  return typeof found === 'object' && found !== null && 'DatabaseSync' in found ? (found as NodeSqlite) : undefined;
}

interface LibraryDatabase {
  exec(sql: string): unknown;
  function(name: string, options: { deterministic: boolean }, work: (value: unknown) => string | null): unknown;
  close(): unknown;
}

function handleOf(
  database: LibraryDatabase,
  { prepare, isInTransaction }: Pick<SqliteHandle, 'prepare'> & { readonly isInTransaction: () => boolean },
): SqliteHandle {
  return {
    get inTransaction() {
      return isInTransaction();
    },
    prepare: (sql) => translated(() => prepare(sql)),
    exec: (sql) => void translated(() => database.exec(sql)),
    registerFunction: (name, work) => void database.function(name, { deterministic: true }, work),
    close: () => void database.close(),
  };
}

function betterStatement(statement: BetterSqlite3.Statement<unknown[]>): SqliteStatement {
  const { reader: returnsRows, readonly } = statement;
  if (returnsRows) statement.raw(true).safeIntegers(!readonly);
  return new Statement({
    returnsRows,
    exact: !readonly,
    columnNames: () => (returnsRows ? statement.columns() : []),
    all: (params) => statement.all(params) as RawRow[],
    makeExact: () => statement.safeIntegers(true),
    run: (params) => statement.run(params),
  });
}

function nodeStatement(
  statement: NodeStatement,
  { sql, keepsNul }: { readonly sql: string; readonly keepsNul: boolean },
): SqliteStatement {
  const columns = statement.columns();
  const exact = !/^\s*(?:select|pragma)\b/i.test(sql);
  statement.setReturnArrays(true);
  statement.setReadBigInts(exact);
  const listOf = (params: SqliteParams): readonly unknown[] => (Array.isArray(params) ? params : [params]);
  return new Statement({
    returnsRows: columns.length > 0,
    exact,
    columnNames: () => columns,
    all: (params) => statement.all(...listOf(params)).map(toRawRow),
    makeExact: () => statement.setReadBigInts(true),
    run(params) {
      // Node 22 would read it back cut off at the NUL.
      if (!keepsNul && hasNul(params)) throw new SqliteFailure('SQLITE_MISMATCH', new Error('a text with a NUL'));
      return statement.run(...listOf(params));
    },
  });
}

function hasNul(params: SqliteParams): boolean {
  return Object.values(params).some((value) => typeof value === 'string' && value.includes('\0'));
}

/** The module returns blobs as Uint8Array. */
function toRawRow(row: unknown[]): RawRow {
  const hasBlob = row.some((value) => value instanceof Uint8Array);
  const values = hasBlob ? row.map((value) => (value instanceof Uint8Array ? Buffer.from(value) : value)) : row;
  return values as RawRow;
}

interface LibraryStatement {
  readonly returnsRows: boolean;
  /** A statement that may write cannot be run twice, so it reads exactly from the start. */
  readonly exact: boolean;
  columnNames(): readonly { readonly name: string }[];
  all(params: SqliteParams): RawRow[];
  makeExact(): unknown;
  run(params: SqliteParams): { readonly changes: number | bigint; readonly lastInsertRowid: number | bigint };
}

/** Integers cross the border to SQLite exactly: beyond 2^53 as bigint, and never as a floating-point value. */
class Statement implements SqliteStatement {
  readonly #library: LibraryStatement;
  readonly returnsRows: boolean;
  #exact: boolean;

  constructor(library: LibraryStatement) {
    this.#library = library;
    this.returnsRows = library.returnsRows;
    this.#exact = library.exact;
  }

  get columns(): readonly string[] {
    return this.#library.columnNames().map(({ name }) => name);
  }

  rows(params: SqliteParams): RawRow[] {
    return translated(() => {
      const bound = toBound(params);
      if (!this.#exact) {
        const rows = this.#plainRows(bound);
        if (rows !== null) return rows;
        this.#exact = true;
        this.#library.makeExact();
      }
      return narrowIntegers(this.#library.all(bound));
    });
  }

  /** Null when an integer may be beyond 2^53: node:sqlite then fails the whole read. */
  #plainRows(params: SqliteParams): RawRow[] | null {
    try {
      const rows = this.#library.all(params);
      return mayBeInexact(rows) ? null : rows;
    } catch (error) {
      if (error instanceof RangeError && 'code' in error && error.code === 'ERR_OUT_OF_RANGE') return null;
      throw error;
    }
  }

  run(params: SqliteParams): { changes: number; lastId: number } {
    return translated(() => {
      const { changes, lastInsertRowid } = this.#library.run(toBound(params));
      return { changes: Number(changes), lastId: Number(lastInsertRowid) };
    });
  }
}

function mayBeInexact(rows: readonly RawRow[]): boolean {
  for (const row of rows) {
    for (const value of row) {
      if (typeof value === 'number' && (value > Number.MAX_SAFE_INTEGER || value < Number.MIN_SAFE_INTEGER))
        return true;
    }
  }
  return false;
}

/** For rows whose integers are all bigint. */
export function narrowIntegers(rows: readonly RawRow[]): RawRow[] {
  return rows.map((row) => row.map(narrowInteger));
}

function narrowInteger(value: RawValue): RawValue {
  if (typeof value !== 'bigint') return value;
  return value <= Number.MAX_SAFE_INTEGER && value >= Number.MIN_SAFE_INTEGER ? Number(value) : value;
}

/** Both libraries bind numbers as floating point, which a text column would keep as "5.0". */
function toBound(params: SqliteParams): SqliteParams {
  if (isList(params)) return params.some(isWhole) ? params.map(toBoundValue) : params;
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, toBoundValue(value)]));
}

function isList(params: SqliteParams): params is readonly SqliteParam[] {
  return Array.isArray(params);
}

function toBoundValue(value: SqliteParam): SqliteParam {
  return typeof value === 'number' && isWhole(value) ? BigInt(value) : value;
}

function isWhole(value: SqliteParam): boolean {
  return Number.isSafeInteger(value);
}

function translated<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw toSqliteFailure(error) ?? error;
  }
}
