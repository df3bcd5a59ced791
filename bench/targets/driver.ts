/**
 * Yardstick (b): a bare node:http server that runs the statements of the program through the bare driver and sends
 * JSON.stringify of the rows as objects. Nothing is parsed, checked, decoded, tagged or logged.
 */
import Database from 'better-sqlite3';
import mariadb from 'mariadb';
import { foldValue } from '../../src/store/sqlite/fold.js';
import { readTargetFile, serve, type TargetAnswer, writeJson } from './answers.js';

const { databaseUrl, answers } = readTargetFile(process.argv[2]);
if (databaseUrl.startsWith('sqlite:')) serveSqlite(databaseUrl.slice('sqlite:'.length));
else serveMariadb(new URL(databaseUrl));

/** Rows of one statement are sent as they are, those of several as a list of lists. */
function bodyOf(results: readonly unknown[]): string {
  return JSON.stringify(results.length === 1 ? results[0] : results);
}

function serveSqlite(path: string): void {
  const db = new Database(path, { readonly: true, fileMustExist: true });
  db.pragma('cache_size = -16000');
  db.function('hcd_fold', { deterministic: true }, foldValue);
  const prepared = new Map<string, Database.Statement<unknown[]>>();
  const prepare = (sql: string) => {
    const statement = prepared.get(sql) ?? db.prepare<unknown[]>(sql);
    prepared.set(sql, statement);
    return statement;
  };
  const ready = ({ statements }: TargetAnswer) =>
    statements.map(({ sql, params }) => ({ statement: prepare(sql), params }));
  serve(new Map(answers.map((answer) => [answer.path, ready(answer)])), (response, work) => {
    writeJson(response, bodyOf(work.map(({ statement, params }) => statement.all(...params))));
  });
}

function serveMariadb(url: URL): void {
  const pool = mariadb.createPool({
    host: url.hostname,
    port: Number(url.port),
    user: url.username,
    database: url.pathname.slice(1),
    connectionLimit: 10,
    // Text must compare as it does for the program, or other indexes would be used.
    collation: 'UTF8MB4_UNICODE_CI',
    bigIntAsNumber: true,
    checkDuplicate: false,
  });
  serve(new Map(answers.map((answer) => [answer.path, answer.statements])), async (response, statements) => {
    const results: unknown[] = [];
    for (const { sql, params } of statements) results.push(await pool.execute(sql, [...params]));
    writeJson(response, bodyOf(results));
  });
}
