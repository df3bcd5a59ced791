/** One configured connection to a SQLite file. Waiting for a lock of another process leaves the event loop free. */
import { closeSync, existsSync, openSync } from 'node:fs';
import { systemClock } from '../../clock/clock.js';
import { arrivals } from '../../clock/waiting-line.js';
import { AppError } from '../../errors/app-error.js';
import { LruMap } from '../../values/kept-values.js';
import type { RawRow } from '../base/database.js';
import { jitter } from '../base/transaction.js';
import {
  loadBetterDriver,
  loadNodeDriver,
  type SqliteDriver,
  type SqliteHandle,
  type SqliteParams,
  type SqliteStatement,
} from './driver.js';
import { isBusy } from './failure.js';
import { digestValue, foldValue } from './fold.js';

const keptStatements = 600;

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

/** Without a thread the filling commit copies; after a long read, requests would wait for all of it. */
export const mostLogPages = 8000;
export const copyWhenFull = `PRAGMA wal_autocheckpoint = ${mostLogPages}`;

export interface SqliteConnection extends Omit<SqliteHandle, 'registerFunction'> {
  /** Prepared once for its text. */
  statement(sql: string): SqliteStatement;
  rows(sql: string, params: SqliteParams): RawRow[];
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
  return withStatements(handle);
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

function withStatements(handle: SqliteHandle): SqliteConnection {
  const statements = new LruMap<string, SqliteStatement>(keptStatements);
  const statement = (sql: string): SqliteStatement => {
    let known = statements.get(sql);
    if (known === undefined) {
      known = handle.prepare(sql);
      statements.set(sql, known);
    }
    return known;
  };
  return {
    get inTransaction() {
      return handle.inTransaction;
    },
    prepare: handle.prepare,
    exec: handle.exec,
    statement,
    rows(sql, params) {
      const prepared = statement(sql);
      if (prepared.returnsRows) return prepared.rows(params);
      prepared.run(params);
      return [];
    },
    close() {
      statements.clear();
      handle.close();
    },
  };
}

/** Another process's transaction takes a few milliseconds. */
const pauses = [1, 2, 5, 10, 20];

/** Runs at once first. */
export async function whileBusy<T>(work: () => T, milliseconds: number): Promise<Awaited<T>> {
  let end: number | undefined;
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      end ??= systemClock.elapsed() + milliseconds;
      if (!isBusy(error) || systemClock.elapsed() >= end) throw error;
    }
    const longest = pauses[Math.min(attempt, pauses.length - 1)] ?? 1;
    await systemClock.sleep(jitter({ from: 1, to: longest }));
  }
}

const longestTurn = 5;

/** The number of the state of the file, asked for once in a turn of the event loop. */
export class FileVersion {
  readonly #reader: SqliteConnection;
  #statement: SqliteStatement | undefined;
  #version: number | undefined;
  #readAt = 0;
  #behind = 0;

  constructor(reader: SqliteConnection) {
    this.#reader = reader;
  }

  readonly forget = (): void => {
    this.#version = undefined;
  };

  read(): number {
    const { isArriving, behind } = arrivals;
    // A request that continues after a wait arrived before the looks of this turn.
    if (!isArriving && this.#version === undefined) return this.#ask();
    const now = systemClock.elapsed();
    const isNew = now - this.#readAt <= longestTurn && (isArriving || this.#behind === behind);
    if (this.#version !== undefined && isNew) return this.#version;
    if (this.#version === undefined) setImmediate(this.forget);
    this.#version = this.#ask();
    this.#readAt = now;
    this.#behind = behind;
    return this.#version;
  }

  /** SQLite reports whether another connection has changed the file; this one never does. */
  #ask(): number {
    try {
      this.#statement ??= this.#reader.statement('PRAGMA data_version');
      return Number(this.#statement.rows([])[0]?.[0]);
    } catch {
      // The read that follows reports any failure, and waits where waiting helps.
      return Number.NaN;
    }
  }
}

let loading: Promise<SqliteDriver> | undefined;

/** Throws configuration_invalid without a driver whose SQLite is safe. */
export function loadSqliteDriver(): Promise<SqliteDriver> {
  loading ??= findDriver();
  return loading;
}

async function findDriver(): Promise<SqliteDriver> {
  const ofNode = loadNodeDriver();
  if (ofNode !== undefined && isFirstChoice(ofNode)) return ofNode;
  const driver = (await loadBetterDriver()) ?? ofNode;
  if (driver === undefined) {
    throw new AppError('configuration_invalid', {
      message:
        'No SQLite library can be loaded. Install the package better-sqlite3 (npm install better-sqlite3) where hcd is installed, or use Node 22.23, 24.15 or newer, which brings its own, or name a MariaDB database.',
    });
  }
  checkSqliteVersion(driver);
  return driver;
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
  const [, ...parts] = /^(\d+)\.(\d+)\.(\d+)/.exec(version) ?? [];
  const [major = 0, minor = 0, patch = 0] = parts.map(Number);
  if (major === 3 && minor === 52 && patch === 0) return 'was withdrawn by its makers';
  const isFixed = major > 3 || (major === 3 && (minor > 51 || (minor === 51 && patch >= 3)));
  return isFixed ? undefined : 'can damage a file that several processes write';
}
