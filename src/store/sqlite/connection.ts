/** One configured connection to a SQLite file: settings, the function hcd_fold, and prepared statements kept for reuse. */
import { closeSync, existsSync, openSync } from 'node:fs';
import { LruMap } from '../../values/lru-map.js';
import type { RawRow } from '../base/database.js';
import type { SqliteDriver, SqliteHandle, SqliteParams, SqliteStatement } from './driver.js';
import { foldValue } from './fold.js';

/** Statements kept per connection; a serving process knows about a hundred. */
const keptStatements = 300;

/**
 * Settings of every connection. The wait for a lock is short because it stops the event loop; callers repeat from
 * there. A checkpoint shrinks the log to 64 MiB at most.
 */
export const connectionPragmas: readonly string[] = [
  'busy_timeout = 5',
  'synchronous = FULL',
  'foreign_keys = ON',
  'trusted_schema = OFF',
  'cell_size_check = ON',
  'mmap_size = 0',
  'cache_size = -16000',
  'journal_size_limit = 67108864',
];

const readingPragmas: readonly string[] = ['query_only = ON'];

/** A statement that changes several rows notes how their pages were: else in a file that is made and removed each time. */
export const writingPragmas: readonly string[] = ['journal_mode = WAL', 'temp_store = MEMORY'];

export interface SqliteConnection {
  readonly inTransaction: boolean;
  /** A statement that is used once. */
  prepare(sql: string): SqliteStatement;
  /** The prepared statement of this text, from the memory or new. */
  statement(sql: string): SqliteStatement;
  rows(sql: string, params: SqliteParams): RawRow[];
  exec(sql: string): void;
  close(): void;
}

/** Opens a connection; a writing one creates a missing file, readable by its owner only. */
export function openConnection(options: {
  readonly driver: SqliteDriver;
  readonly path: string;
  readonly readonly: boolean;
}): SqliteConnection {
  if (!options.readonly) createPrivately(options.path);
  const handle = options.driver.open(options);
  try {
    configure(handle, options.readonly);
  } catch (error) {
    handle.close();
    throw error;
  }
  return new Connection(handle);
}

/**
 * SQLite gives its side files the mode of the main one. A file that is there is not opened: closing it again would end
 * every lock that other connections of this process hold on it, and another process could then remove the log under them.
 */
function createPrivately(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if (!existsSync(path)) throw error;
  }
}

function configure(handle: SqliteHandle, readonly: boolean): void {
  for (const pragma of connectionPragmas) handle.exec(`PRAGMA ${pragma}`);
  for (const pragma of readonly ? readingPragmas : writingPragmas) handle.exec(`PRAGMA ${pragma}`);
  handle.registerFunction('hcd_fold', foldValue);
}

class Connection implements SqliteConnection {
  readonly #handle: SqliteHandle;
  readonly #statements = new LruMap<string, SqliteStatement>(keptStatements);

  constructor(handle: SqliteHandle) {
    this.#handle = handle;
  }

  get inTransaction(): boolean {
    return this.#handle.inTransaction;
  }

  prepare(sql: string): SqliteStatement {
    return this.#handle.prepare(sql);
  }

  statement(sql: string): SqliteStatement {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#handle.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  rows(sql: string, params: SqliteParams): RawRow[] {
    const statement = this.statement(sql);
    if (statement.returnsRows) return statement.rows(params);
    statement.run(params);
    return [];
  }

  exec(sql: string): void {
    this.#handle.exec(sql);
  }

  close(): void {
    this.#statements.clear();
    this.#handle.close();
  }
}
