/** The interface of a SQLite library. Everything is synchronous, as both libraries are. */
import type { Param, RawRow, RawValue } from '../base/database.js';

export type SqliteParam = Param | bigint | Uint8Array;

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

/** Has SQLite's own name of its code, for example SQLITE_BUSY. */
export class SqliteFailure extends Error {
  readonly code: string;

  constructor(code: string, cause: Error) {
    super(cause.message, { cause });
    this.name = 'SqliteFailure';
    this.code = code;
  }
}

interface LibraryDatabase {
  exec(sql: string): unknown;
  function(name: string, options: { deterministic: boolean }, work: (value: unknown) => string | null): unknown;
  close(): unknown;
}

interface LibraryParts extends Pick<SqliteHandle, 'prepare'> {
  readonly isInTransaction: () => boolean;
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

export function mayBeInexact(rows: readonly RawRow[]): boolean {
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
