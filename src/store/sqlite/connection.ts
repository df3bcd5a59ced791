/** One configured connection to a SQLite file. Waiting for a lock of another process leaves the event loop free. */
import { closeSync, existsSync, openSync } from 'node:fs';
import { systemClock } from '../../clock/clock.js';
import { AppError } from '../../errors/app-error.js';
import { LruMap } from '../../values/kept-values.js';
import type { RawRow } from '../base/database.js';
import { jitter } from '../base/transaction.js';
import {
  type SqliteDriver,
  SqliteFailure,
  type SqliteHandle,
  type SqliteParams,
  type SqliteStatement,
} from './driver.js';
import { digestValue, foldValue } from './fold.js';
import { loadNodeSqlite } from './load-node-sqlite.js';

const keptStatements = 300;

/** A wait for a lock stops the event loop, so callers repeat it. A checkpoint shrinks the log to 64 MiB. */
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

/** A change of several rows would otherwise note the former pages in a file. */
export const writingPragmas: readonly string[] = ['journal_mode = WAL', 'temp_store = MEMORY'];

export interface SqliteConnection {
  readonly inTransaction: boolean;
  prepare(sql: string): SqliteStatement;
  statement(sql: string): SqliteStatement;
  rows(sql: string, params: SqliteParams): RawRow[];
  exec(sql: string): void;
  close(): void;
}

/** A writing connection creates a missing file, readable by its owner only. */
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

/** Side files get the mode of the main one. An existing file stays closed: closing it ends this process's locks. */
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
  handle.registerFunction('hcd_digest', digestValue);
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

/** Another process's transaction takes a few milliseconds. */
const pauses = [1, 2, 5, 10, 20];

/** Runs at once first. A snapshot that is too old (SQLITE_BUSY_SNAPSHOT) is not repeated. */
export async function whileBusy<T>(work: () => T, milliseconds: number): Promise<T> {
  try {
    return work();
  } catch (error) {
    return repeat({ work: async () => work(), milliseconds, error });
  }
}

/** For work on a thread; retries the lock as often as `whileBusy`. */
export async function whileBusyElsewhere<T>(work: () => Promise<T>, milliseconds: number): Promise<T> {
  try {
    return await work();
  } catch (error) {
    return repeat({ work, milliseconds, error });
  }
}

interface Repetition<T> {
  readonly work: () => Promise<T>;
  readonly milliseconds: number;
  readonly error: unknown;
}

async function repeat<T>({ work, milliseconds, error }: Repetition<T>): Promise<T> {
  const end = systemClock.elapsed() + milliseconds;
  let last = error;
  for (let attempt = 0; isBusy(last) && systemClock.elapsed() < end; attempt += 1) {
    const longest = pauses[Math.min(attempt, pauses.length - 1)] ?? 1;
    await systemClock.sleep(jitter({ from: 1, to: longest }));
    try {
      return await work();
    } catch (again) {
      last = again;
    }
  }
  throw last;
}

function isBusy(error: unknown): boolean {
  return (
    error instanceof SqliteFailure && error.code !== 'SQLITE_BUSY_SNAPSHOT' && /^SQLITE_(BUSY|LOCKED)/.test(error.code)
  );
}

let loading: Promise<SqliteDriver> | undefined;

/** Throws configuration_invalid without a driver whose SQLite is safe. */
export function loadSqliteDriver(): Promise<SqliteDriver> {
  loading ??= findDriver();
  return loading;
}

async function findDriver(): Promise<SqliteDriver> {
  const ofNode = await findNodeDriver();
  const driver = ofNode !== undefined && isFirstChoice(ofNode) ? ofNode : ((await findBetterDriver()) ?? ofNode);
  if (driver === undefined) {
    throw new AppError('configuration_invalid', {
      message:
        'No SQLite library can be loaded. Install the package better-sqlite3 (npm install better-sqlite3) where hcd is installed, or use Node 22.23, 24.15 or newer, which brings its own, or name a MariaDB database.',
    });
  }
  checkSqliteVersion(driver);
  return driver;
}

async function findNodeDriver(): Promise<SqliteDriver | undefined> {
  const sqlite = loadNodeSqlite();
  return sqlite === undefined ? undefined : (await import('./node-driver.js')).loadNodeDriver(sqlite);
}

async function findBetterDriver(): Promise<SqliteDriver | undefined> {
  const { loadBetterDriver } = await import('./better-driver.js');
  return loadBetterDriver();
}

/** From Node 24.19 on, better-sqlite3 12 may end the process when its objects are collected, above all at exit. */
function isFirstChoice(driver: SqliteDriver): boolean {
  return driver.keepsNul && refusalOf(driver.version) === undefined;
}

/** Before 3.51.3 two processes can damage the file; 3.52.0 was withdrawn. Throws configuration_invalid. */
export function checkSqliteVersion({ name, version }: { readonly name: string; readonly version: string }): void {
  const reason = refusalOf(version);
  if (reason === undefined) return;
  throw new AppError('configuration_invalid', {
    message: `SQLite ${version} inside ${name} ${reason}. Install better-sqlite3 12.8 or newer, which brings SQLite 3.51.3 or newer.`,
  });
}

function refusalOf(version: string): string | undefined {
  const match = /^(\d+)\.(\d+)\.(\d+)/.exec(version);
  const [major, minor, patch] = match === null ? [0, 0, 0] : [Number(match[1]), Number(match[2]), Number(match[3])];
  const withdrawn = major === 3 && minor === 52 && patch === 0;
  const fixed = major > 3 || (major === 3 && (minor > 51 || (minor === 51 && patch >= 3)));
  if (withdrawn) return 'was withdrawn by its makers';
  return fixed ? undefined : 'can damage a file that several processes write';
}
