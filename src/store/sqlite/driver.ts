/** The interface of a SQLite library, as the store needs it. Everything here is synchronous, as both libraries are. */
import type { Param, RawRow, RawValue } from '../base/database.js';

export type SqliteParam = Param | bigint | Uint8Array;

/** Values in the order of the `?`, or by name without the prefix sign. */
export type SqliteParams = readonly SqliteParam[] | Readonly<Record<string, SqliteParam>>;

export interface SqliteDriver {
  readonly name: 'better-sqlite3' | 'node:sqlite';
  /** Version of the SQLite inside. */
  readonly version: string;
  /** Texts with a NUL in them come back whole; where they do not, none is written. */
  readonly keepsNul: boolean;
  /** Opens a file without any setting; use openConnection instead. */
  open(options: { readonly path: string; readonly readonly: boolean }): SqliteHandle;
}

export interface SqliteHandle {
  readonly inTransaction: boolean;
  prepare(sql: string): SqliteStatement;
  /** Runs statements that give no rows and take no values. */
  exec(sql: string): void;
  registerFunction(name: string, work: (value: unknown) => string | null): void;
  close(): void;
}

export interface SqliteStatement {
  readonly returnsRows: boolean;
  /** Names of the result columns. */
  readonly columns: readonly string[];
  /** All rows; integers are numbers where a number holds them exactly, else bigint. */
  rows(params: SqliteParams): RawRow[];
  run(params: SqliteParams): { readonly changes: number; readonly lastId: number };
}

/** An error of the library with SQLite's own name of its code, for example SQLITE_BUSY. */
export class SqliteFailure extends Error {
  readonly code: string;

  constructor(code: string, cause: Error) {
    super(cause.message, { cause });
    this.name = 'SqliteFailure';
    this.code = code;
  }
}

/** The members that both libraries have under the same names. */
interface LibraryDatabase {
  exec(sql: string): unknown;
  function(name: string, options: { deterministic: boolean }, work: (value: unknown) => string | null): unknown;
  close(): unknown;
}

interface LibraryParts extends Pick<SqliteHandle, 'prepare'> {
  readonly isInTransaction: () => boolean;
  /** Gives the errors of the library as SqliteFailure. */
  readonly translated: <T>(work: () => T) => T;
}

export function handleOf(
  database: LibraryDatabase,
  { prepare, isInTransaction, translated }: LibraryParts,
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

// Integers cross the border to SQLite exactly: beyond 2^53 as bigint, and never as a floating-point value.

/** Whether a number in the rows may be an integer that a number cannot hold. */
export function mayBeInexact(rows: readonly RawRow[]): boolean {
  for (const row of rows) {
    for (const value of row) {
      if (typeof value === 'number' && (value > Number.MAX_SAFE_INTEGER || value < Number.MIN_SAFE_INTEGER))
        return true;
    }
  }
  return false;
}

/** Rows whose integers were all read as bigint: those that fit become numbers again. */
export function narrowIntegers(rows: readonly RawRow[]): RawRow[] {
  return rows.map((row) => row.map(narrowInteger));
}

function narrowInteger(value: RawValue): RawValue {
  if (typeof value !== 'bigint') return value;
  return value <= Number.MAX_SAFE_INTEGER && value >= Number.MIN_SAFE_INTEGER ? Number(value) : value;
}

/**
 * Values as they are bound: both libraries bind a number as floating point, which a text column would keep as "5.0";
 * a whole number goes as integer.
 */
export function toBound<Params extends SqliteParams>(params: Params): Params;
export function toBound(params: SqliteParams): SqliteParams {
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
