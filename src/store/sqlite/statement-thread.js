// @ts-check
/**
 * A thread with a connection of its own to the SQLite file, which executes the statements that it is sent, one after the
 * other. Plain JavaScript without imports of TypeScript files: Node starts it by its path, from the sources as well as
 * from the build.
 */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import { digestValue, foldValue } from './fold.js';
import { loadNodeSqlite } from './load-node-sqlite.js';

/** @typedef {{ rows: unknown[][] } | { changes: number, lastId: number }} Result */
/** @typedef {(params: unknown[]) => Result} Execute */
/** @typedef {{ changes: number | bigint, lastInsertRowid: number | bigint }} Change */
/** @typedef {{ all(...params: unknown[]): unknown[][], run(...params: unknown[]): Change }} Prepared */
/** @typedef {{ exec(sql: string): unknown, close(): void, function(name: string, options: object, work: (value: unknown) => unknown): unknown }} Configurable */
/** @typedef {Prepared & { setReturnArrays(enabled: boolean): void, setReadBigInts(enabled: boolean): void, columns(): readonly unknown[] }} NodePrepared */
/** @typedef {{ DatabaseSync: new (path: string, options: object) => Configurable & { prepare(sql: string): NodePrepared } }} NodeSqlite */

/** @type {{ driver: string, path: string, writes: boolean, keepsNul: boolean, pragmas: string[] }} */
const options = workerData;
const keptStatements = 50;

/** @type {Map<string, Execute>} */
const statements = new Map();
const { prepare, close } = openDatabase();

parentPort?.on('message', (/** @type {{ id: number, sql: string, params: unknown[] } | 'end'} */ request) => {
  if (request === 'end') {
    close();
    parentPort?.close();
  } else parentPort?.postMessage({ id: request.id, ...answer(request) });
});

/**
 * @param {{ sql: string, params: unknown[] }} request
 * @returns {Result | { code: unknown, errcode: unknown, message: string }}
 */
function answer(request) {
  try {
    return find(request.sql)(request.params.map(toBound));
  } catch (error) {
    return {
      code: Reflect.get(Object(error), 'code'),
      errcode: Reflect.get(Object(error), 'errcode'),
      message: error instanceof Error ? error.message : String(error),
    };
  }
}

/**
 * A whole number goes as integer, as in driver.ts.
 * @param {unknown} value
 */
function toBound(value) {
  return typeof value === 'number' && Number.isSafeInteger(value) ? BigInt(value) : value;
}

/**
 * @param {string} sql
 * @returns {Execute}
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
 * @returns {{ prepare: (sql: string) => Execute, close: () => void }}
 */
function openDatabase() {
  if (options.driver === 'node:sqlite') {
    const { DatabaseSync } = /** @type {NodeSqlite} */ (loadNodeSqlite());
    // It would make a new file.
    if (!existsSync(options.path)) throw new Error('no such file');
    const database = new DatabaseSync(options.path, { readOnly: !options.writes });
    configure(database);
    const prepareHere = (/** @type {string} */ sql) => {
      const statement = database.prepare(sql);
      statement.setReturnArrays(true);
      statement.setReadBigInts(true);
      return executeOf(statement, statement.columns().length > 0);
    };
    return { prepare: prepareHere, close: () => database.close() };
  }
  const Database = createRequire(import.meta.url)('better-sqlite3');
  const database = new Database(options.path, { readonly: !options.writes, fileMustExist: true });
  configure(database);
  const prepareHere = (/** @type {string} */ sql) => {
    const statement = database.prepare(sql);
    return executeOf(statement.reader ? statement.raw(true).safeIntegers(true) : statement, statement.reader);
  };
  return { prepare: prepareHere, close: () => database.close() };
}

/**
 * @param {Prepared} statement
 * @param {boolean} givesRows
 * @returns {Execute}
 */
function executeOf(statement, givesRows) {
  if (givesRows) {
    return (params) => {
      checkNul(params);
      return { rows: statement.all(...params) };
    };
  }
  // A statement that writes is a fault of the program where only reads are.
  if (!options.writes) throw new TypeError('This statement gives no rows');
  return (params) => {
    checkNul(params);
    const { changes, lastInsertRowid } = statement.run(...params);
    return { changes: Number(changes), lastId: Number(lastInsertRowid) };
  };
}

/**
 * Node 22 would read it back cut off at the NUL.
 * @param {unknown[]} params
 */
function checkNul(params) {
  if (options.keepsNul || !options.writes) return;
  if (params.some((value) => typeof value === 'string' && value.includes('\0'))) {
    throw Object.assign(new Error('a text with a NUL'), { code: 'SQLITE_MISMATCH' });
  }
}

/**
 * @param {Configurable} database
 */
function configure(database) {
  for (const pragma of options.pragmas) database.exec(`PRAGMA ${pragma}`);
  database.function('hcd_fold', { deterministic: true }, foldValue);
  database.function('hcd_digest', { deterministic: true }, digestValue);
}
