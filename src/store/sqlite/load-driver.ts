/** Finds a SQLite library on this machine and refuses one that can damage a database. */
import { AppError } from '../../errors/app-error.js';
import { loadBetterDriver } from './better-driver.js';
import type { SqliteDriver } from './driver.js';
import { loadNodeDriver } from './node-driver.js';

let loading: Promise<SqliteDriver> | undefined;

/** better-sqlite3, else node:sqlite; configuration_invalid when neither is there or its SQLite is not safe. */
export function loadSqliteDriver(): Promise<SqliteDriver> {
  loading ??= findDriver();
  return loading;
}

async function findDriver(): Promise<SqliteDriver> {
  const driver = (await loadBetterDriver()) ?? loadNodeDriver();
  if (driver === undefined) {
    throw new AppError('configuration_invalid', {
      message:
        'No SQLite library can be loaded. Install the package better-sqlite3 (npm install better-sqlite3), or use Node 22.23 or newer, which brings its own, or name a MariaDB database.',
    });
  }
  checkSqliteVersion(driver);
  return driver;
}

/**
 * Throws configuration_invalid for versions before 3.51.3, in which two processes that write and checkpoint at once
 * can damage the file, and for 3.52.0, which was withdrawn.
 */
export function checkSqliteVersion(driver: { readonly name: string; readonly version: string }): void {
  const match = /^(\d+)\.(\d+)\.(\d+)/.exec(driver.version);
  const [major, minor, patch] = match === null ? [0, 0, 0] : [Number(match[1]), Number(match[2]), Number(match[3])];
  const withdrawn = major === 3 && minor === 52 && patch === 0;
  const fixed = major > 3 || (major === 3 && (minor > 51 || (minor === 51 && patch >= 3)));
  if (fixed && !withdrawn) return;
  const reason = withdrawn ? 'was withdrawn by its makers' : 'can damage a file that several processes write';
  throw new AppError('configuration_invalid', {
    message: `SQLite ${driver.version} inside ${driver.name} ${reason}. Install better-sqlite3 12.8 or newer, which brings SQLite 3.51.3 or newer.`,
  });
}
