/** Finds a SQLite library on this machine and refuses one that can damage a database. */
import { AppError } from '../../errors/app-error.js';
import type { SqliteDriver } from './driver.js';
import { loadNodeDriver } from './node-driver.js';

let loading: Promise<SqliteDriver> | undefined;

/** The better one that is here; configuration_invalid when there is none or its SQLite is not safe. */
export function loadSqliteDriver(): Promise<SqliteDriver> {
  loading ??= findDriver();
  return loading;
}

async function findDriver(): Promise<SqliteDriver> {
  const ofNode = loadNodeDriver();
  const driver = ofNode !== undefined && isFirstChoice(ofNode) ? ofNode : ((await findBetterDriver()) ?? ofNode);
  if (driver === undefined) {
    throw new AppError('configuration_invalid', {
      message:
        'No SQLite library can be loaded. Install the package better-sqlite3 (npm install better-sqlite3), or use Node 22.23, 24.15 or newer, which brings its own, or name a MariaDB database.',
    });
  }
  checkSqliteVersion(driver);
  return driver;
}

async function findBetterDriver(): Promise<SqliteDriver | undefined> {
  const { loadBetterDriver } = await import('./better-driver.js');
  return loadBetterDriver();
}

/**
 * Node's own library comes first where it is whole and safe, and the other one is then not even loaded: from Node 24.19
 * on, better-sqlite3 12 ends the process when its objects are collected outside of JavaScript, at exits above all.
 */
function isFirstChoice(driver: SqliteDriver): boolean {
  return driver.keepsNul && refusalOf(driver.version) === undefined;
}

/**
 * Throws configuration_invalid for versions before 3.51.3, in which two processes that write and checkpoint at once
 * can damage the file, and for 3.52.0, which was withdrawn.
 */
export function checkSqliteVersion({ name, version }: { readonly name: string; readonly version: string }): void {
  const reason = refusalOf(version);
  if (reason === undefined) return;
  throw new AppError('configuration_invalid', {
    message: `SQLite ${version} inside ${name} ${reason}. Install better-sqlite3 12.8 or newer, which brings SQLite 3.51.3 or newer.`,
  });
}

/** What is wrong with the version; undefined when nothing is. */
function refusalOf(version: string): string | undefined {
  const match = /^(\d+)\.(\d+)\.(\d+)/.exec(version);
  const [major, minor, patch] = match === null ? [0, 0, 0] : [Number(match[1]), Number(match[2]), Number(match[3])];
  const withdrawn = major === 3 && minor === 52 && patch === 0;
  const fixed = major > 3 || (major === 3 && (minor > 51 || (minor === 51 && patch >= 3)));
  if (withdrawn) return 'was withdrawn by its makers';
  return fixed ? undefined : 'can damage a file that several processes write';
}
