// @ts-check
/**
 * The thread in which statements that may scan run, on a read-only connection of its own. Plain JavaScript without
 * imports of TypeScript files: Node starts it by its path, from the sources as well as from the build.
 */
import { createRequire } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import { foldValue } from './fold.js';
import { loadNodeSqlite } from './load-node-sqlite.js';

/** @typedef {{ all(...params: unknown[]): unknown[][] }} Prepared */
/** @typedef {{ exec(sql: string): unknown, function(name: string, options: object, work: (value: unknown) => unknown): unknown }} Configurable */
/** @typedef {Prepared & { setReturnArrays(enabled: boolean): void, setReadBigInts(enabled: boolean): void, columns(): readonly unknown[] }} NodePrepared */
/** @typedef {{ DatabaseSync: new (path: string, options: object) => Configurable & { prepare(sql: string): NodePrepared } }} NodeSqlite */

/** @type {{ driver: string, path: string, pragmas: string[] }} */
const options = workerData;
const keptStatements = 50;

/** @type {Map<string, Prepared>} */
const statements = new Map();
const prepare = openDatabase();

parentPort?.on('message', (/** @type {{ id: number, sql: string, params: unknown[] }} */ request) => {
  parentPort?.postMessage({ id: request.id, ...answer(request) });
});

/**
 * @param {{ sql: string, params: unknown[] }} request
 * @returns {{ rows: unknown[][] } | { code: unknown, number: unknown, message: string }}
 */
function answer(request) {
  try {
    return { rows: find(request.sql).all(...request.params) };
  } catch (error) {
    return {
      code: Reflect.get(Object(error), 'code'),
      number: Reflect.get(Object(error), 'errcode'),
      message: error instanceof Error ? error.message : String(error),
    };
  }
}

/**
 * @param {string} sql
 * @returns {Prepared}
 */
function find(sql) {
  const known = statements.get(sql);
  if (known !== undefined) return known;
  const statement = prepare(sql);
  if (statements.size >= keptStatements) statements.clear();
  statements.set(sql, statement);
  return statement;
}

/**
 * Opens the file with the library that the program uses; all integers come as bigint.
 * @returns {(sql: string) => Prepared}
 */
function openDatabase() {
  if (options.driver === 'node:sqlite') {
    const { DatabaseSync } = /** @type {NodeSqlite} */ (loadNodeSqlite());
    const database = new DatabaseSync(options.path, { readOnly: true });
    configure(database);
    return (sql) => {
      const statement = database.prepare(sql);
      // A statement that writes is a fault of the program: better-sqlite3 says so by itself.
      if (statement.columns().length === 0) throw new TypeError('This statement gives no rows');
      statement.setReturnArrays(true);
      statement.setReadBigInts(true);
      return statement;
    };
  }
  const Database = createRequire(import.meta.url)('better-sqlite3');
  const database = new Database(options.path, { readonly: true, fileMustExist: true });
  configure(database);
  return (sql) => database.prepare(sql).raw(true).safeIntegers(true);
}

/**
 * @param {Configurable} database
 */
function configure(database) {
  for (const pragma of options.pragmas) database.exec(`PRAGMA ${pragma}`);
  database.function('hcd_fold', { deterministic: true }, foldValue);
}
