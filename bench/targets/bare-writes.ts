/**
 * Yardstick of writes: a bare node:http server that runs the statements of the next recorded transaction through the bare
 * driver at each request, and answers once they are committed. It does nothing else.
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import Database from 'better-sqlite3';
import mariadb from 'mariadb';
import type { RecordedStatement } from '../record.js';

interface Recording {
  readonly databaseUrl: string;
  readonly transactions: readonly (readonly RecordedStatement[])[];
}

const { databaseUrl, transactions }: Recording = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'));
const run = databaseUrl.startsWith('sqlite:')
  ? sqlite(databaseUrl.slice('sqlite:'.length))
  : await mariadbConnection(new URL(databaseUrl));
let at = 0;

const server = createServer((request, response) => {
  request.resume();
  request.once('end', () => {
    const statements = transactions[at];
    at += 1;
    if (statements === undefined) return void response.writeHead(410).end();
    Promise.resolve(run(statements)).then(
      () => response.writeHead(201).end(),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object') process.stderr.write(`listening on http://127.0.0.1:${address?.port}\n`);
});
process.once('SIGTERM', () => process.exit(0));

/** Each commit waits for the disk, as by default. */
function sqlite(path: string): (statements: readonly RecordedStatement[]) => void {
  const db = new Database(path, { fileMustExist: true });
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = FULL');
  const prepared = new Map<string, Database.Statement<unknown[]>>();
  const statementOf = (sql: string) => {
    const statement = prepared.get(sql) ?? db.prepare<unknown[]>(sql);
    prepared.set(sql, statement);
    return statement;
  };
  return (statements) => {
    db.exec('BEGIN IMMEDIATE');
    for (const { sql, params } of statements) {
      const statement = statementOf(sql);
      if (statement.reader) statement.all(...params);
      else statement.run(...params);
    }
    db.exec('COMMIT');
  };
}

async function mariadbConnection(url: URL): Promise<(statements: readonly RecordedStatement[]) => Promise<void>> {
  const connection = await mariadb.createConnection({
    ...{ host: url.hostname, port: Number(url.port), user: url.username, database: url.pathname.slice(1) },
    ...{ collation: 'UTF8MB4_UNICODE_CI', bigIntAsNumber: true, checkDuplicate: false },
  });
  return async (statements) => {
    await connection.query('START TRANSACTION');
    for (const { sql, params } of statements) await connection.execute(sql, [...params]);
    await connection.query('COMMIT');
  };
}
