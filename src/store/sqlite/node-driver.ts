/** The SQLite driver over node:sqlite: first choice on newer Node, and the fallback without better-sqlite3. */
import type { RawRow } from '../base/database.js';
import {
  handleOf,
  narrowIntegers,
  type SqliteDriver,
  SqliteFailure,
  type SqliteParams,
  type SqliteStatement,
  toBound,
} from './driver.js';
import { loadNodeSqlite } from './load-node-sqlite.js';

/** The used part of node:sqlite, which the types of Node 20 do not have. */
interface NodeSqlite {
  readonly DatabaseSync: new (path: string, options: { readOnly?: boolean; timeout?: number }) => NodeDatabase;
}

interface NodeDatabase {
  readonly isTransaction: boolean;
  prepare(sql: string): NodeStatement;
  exec(sql: string): void;
  function(name: string, options: { deterministic: boolean }, work: (value: unknown) => string | null): void;
  close(): void;
}

interface NodeStatement {
  columns(): readonly { readonly name: string }[];
  setReturnArrays(enabled: boolean): void;
  setReadBigInts(enabled: boolean): void;
  all(...params: readonly unknown[]): unknown[][];
  run(...params: readonly unknown[]): { changes: number | bigint; lastInsertRowid: number | bigint };
}

/** Undefined when this Node has no node:sqlite, or one too old to return rows as arrays. */
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
      open: ({ path, readonly }) =>
        translated(() => {
          const database = new sqlite.DatabaseSync(path, { readOnly: readonly });
          const prepare = (sql: string) => {
            const exact = !/^\s*(?:select|pragma)\b/i.test(sql);
            return new Statement(database.prepare(sql), { keepsNul, exact });
          };
          return handleOf(database, { prepare, isInTransaction: () => database.isTransaction, translated });
        }),
    };
  } finally {
    probe.close();
  }
}

function decodeModule(found: unknown): NodeSqlite | undefined {
  return typeof found === 'object' && found !== null && 'DatabaseSync' in found ? (found as NodeSqlite) : undefined;
}

class Statement implements SqliteStatement {
  readonly #statement: NodeStatement;
  readonly #keepsNul: boolean;
  /** A statement that may write cannot be run twice, so it reads exactly from the start. */
  #exact: boolean;
  readonly columns: readonly string[];

  constructor(statement: NodeStatement, { keepsNul, exact }: { readonly keepsNul: boolean; readonly exact: boolean }) {
    this.#statement = statement;
    this.#keepsNul = keepsNul;
    this.#exact = exact;
    this.columns = statement.columns().map((column) => column.name);
    statement.setReturnArrays(true);
    statement.setReadBigInts(exact);
  }

  get returnsRows(): boolean {
    return this.columns.length > 0;
  }

  rows(params: SqliteParams): RawRow[] {
    return translated(() => {
      const given = toArguments(params);
      if (!this.#exact) {
        try {
          return this.#statement.all(...given).map(toRawRow);
        } catch (error) {
          // An integer beyond 2^53 makes the whole read fail.
          if (!isOutOfRange(error)) throw error;
          this.#exact = true;
          this.#statement.setReadBigInts(true);
        }
      }
      return narrowIntegers(this.#statement.all(...given).map(toRawRow));
    });
  }

  run(params: SqliteParams): { changes: number; lastId: number } {
    // Node 22 would read it back cut off at the NUL.
    if (!this.#keepsNul && hasNul(params)) throw new SqliteFailure('SQLITE_MISMATCH', new Error('a text with a NUL'));
    return translated(() => {
      const { changes, lastInsertRowid } = this.#statement.run(...toArguments(params));
      return { changes: Number(changes), lastId: Number(lastInsertRowid) };
    });
  }
}

function hasNul(params: SqliteParams): boolean {
  return Object.values(params).some((value) => typeof value === 'string' && value.includes('\0'));
}

function toArguments(params: SqliteParams): readonly unknown[] {
  const bound = toBound(params);
  return Array.isArray(bound) ? bound : [bound];
}

/** The module returns blobs as Uint8Array. */
function toRawRow(row: unknown[]): RawRow {
  const hasBlob = row.some((value) => value instanceof Uint8Array);
  const values = hasBlob ? row.map((value) => (value instanceof Uint8Array ? Buffer.from(value) : value)) : row;
  return values as RawRow;
}

function isOutOfRange(error: unknown): boolean {
  return error instanceof RangeError && 'code' in error && error.code === 'ERR_OUT_OF_RANGE';
}

const names: Readonly<Record<number, string>> = {
  3: 'SQLITE_PERM',
  5: 'SQLITE_BUSY',
  6: 'SQLITE_LOCKED',
  7: 'SQLITE_NOMEM',
  8: 'SQLITE_READONLY',
  9: 'SQLITE_INTERRUPT',
  10: 'SQLITE_IOERR',
  11: 'SQLITE_CORRUPT',
  13: 'SQLITE_FULL',
  14: 'SQLITE_CANTOPEN',
  15: 'SQLITE_PROTOCOL',
  18: 'SQLITE_TOOBIG',
  19: 'SQLITE_CONSTRAINT',
  20: 'SQLITE_MISMATCH',
  23: 'SQLITE_AUTH',
  26: 'SQLITE_NOTADB',
  275: 'SQLITE_CONSTRAINT_CHECK',
  517: 'SQLITE_BUSY_SNAPSHOT',
  787: 'SQLITE_CONSTRAINT_FOREIGNKEY',
  1299: 'SQLITE_CONSTRAINT_NOTNULL',
  1555: 'SQLITE_CONSTRAINT_PRIMARYKEY',
  1811: 'SQLITE_CONSTRAINT_TRIGGER',
  2067: 'SQLITE_CONSTRAINT_UNIQUE',
  2579: 'SQLITE_CONSTRAINT_ROWID',
  3091: 'SQLITE_CONSTRAINT_DATATYPE',
};

export function sqliteCodeName(code: number): string {
  return names[code] ?? names[code & 0xff] ?? 'SQLITE_ERROR';
}

function translated<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof Error && 'errcode' in error && typeof error.errcode === 'number') {
      throw new SqliteFailure(sqliteCodeName(error.errcode), error);
    }
    throw error;
  }
}
