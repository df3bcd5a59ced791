/** The SQLite driver over better-sqlite3. */
import type BetterSqlite3 from 'better-sqlite3';
import type { RawRow } from '../base/database.js';
import {
  handleOf,
  mayBeInexact,
  narrowIntegers,
  type SqliteDriver,
  SqliteFailure,
  type SqliteParams,
  type SqliteStatement,
  toBound,
} from './driver.js';

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
    open: ({ path, readonly }) =>
      translated(() => {
        const database = new Database(path, { readonly, fileMustExist: true, timeout: 0 });
        const isInTransaction = () => database.inTransaction;
        return handleOf(database, {
          prepare: (sql) => new Statement(database.prepare(sql)),
          isInTransaction,
          translated,
        });
      }),
  };
}

class Statement implements SqliteStatement {
  readonly #statement: BetterSqlite3.Statement<unknown[]>;
  readonly returnsRows: boolean;
  /** A statement that writes cannot be run twice, so it reads exactly from the start. */
  #exact: boolean;

  constructor(statement: BetterSqlite3.Statement<unknown[]>) {
    this.#statement = statement;
    this.returnsRows = statement.reader;
    this.#exact = !statement.readonly;
    if (statement.reader) statement.raw(true).safeIntegers(this.#exact);
  }

  get columns(): readonly string[] {
    return this.returnsRows ? this.#statement.columns().map((column) => column.name) : [];
  }

  rows(params: SqliteParams): RawRow[] {
    return translated(() => {
      const bound = toBound(params);
      const rows = this.#all(bound);
      if (this.#exact) return narrowIntegers(rows);
      if (!mayBeInexact(rows)) return rows;
      this.#exact = true;
      this.#statement.safeIntegers(true);
      return narrowIntegers(this.#all(bound));
    });
  }

  run(params: SqliteParams): { changes: number; lastId: number } {
    return translated(() => {
      const { changes, lastInsertRowid } = this.#statement.run(toBound(params));
      return { changes, lastId: Number(lastInsertRowid) };
    });
  }

  #all(params: SqliteParams): RawRow[] {
    return this.#statement.all(params) as RawRow[];
  }
}

function translated<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (
      error instanceof Error &&
      'code' in error &&
      typeof error.code === 'string' &&
      error.code.startsWith('SQLITE_')
    ) {
      throw new SqliteFailure(error.code, error);
    }
    throw error;
  }
}
