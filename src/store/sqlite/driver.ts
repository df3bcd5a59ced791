/** What the store needs of a SQLite library, whichever it is. Everything here is synchronous, as both libraries are. */
import type { Param, RawRow } from '../base/database.js';

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
