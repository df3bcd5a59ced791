/**
 * What `hcd` is compared with: a plain node:http server. For each path it sends the bytes that `hcd` answered, or runs the
 * statements that `hcd` ran and sends their rows as JSON. A POST runs the next transaction.
 */
import { readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import Database from 'better-sqlite3';
import mariadb from 'mariadb';
import { digestValue, foldValue } from '../../src/store/sqlite/fold.js';
import type { RecordedStatement } from '../record.js';

/** The file with the answers and statements that the bench recorded. */
export interface BareFile {
  readonly databaseUrl?: string;
  readonly answers?: readonly {
    /** Path and query. */
    readonly path: string;
    readonly status?: number;
    readonly headers?: IncomingHttpHeaders;
    /** As base64. */
    readonly body?: string;
    readonly statements?: readonly RecordedStatement[];
  }[];
  readonly transactions?: readonly (readonly RecordedStatement[])[];
}

interface Driver {
  /** The rows of each statement. */
  read(statements: readonly RecordedStatement[]): Promise<readonly unknown[]> | readonly unknown[];
  write(statements: readonly RecordedStatement[]): Promise<void> | void;
}

const {
  databaseUrl,
  answers = [],
  transactions = [],
}: BareFile = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'));
const driver = databaseUrl === undefined ? undefined : openDriver(databaseUrl);
const byPath = new Map(
  answers.map(({ body = '', ...answer }) => [answer.path, { ...answer, body: Buffer.from(body, 'base64') }]),
);
let written = 0;

const server = createServer((request, response) => {
  if (request.method === 'POST') {
    request.resume().once('end', () => void write(response));
    return;
  }
  const answer = byPath.get(request.url ?? '');
  const tag = request.headers['if-none-match'];
  if (answer === undefined) response.writeHead(404).end();
  else if (tag !== undefined) response.writeHead(304, { ETag: tag }).end();
  else if (answer.statements !== undefined) void read(response, answer.statements);
  else send(response, answer);
});
server.keepAliveTimeout = 65_000;
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object') process.stderr.write(`listening on http://127.0.0.1:${address?.port}\n`);
});

function send(
  response: ServerResponse,
  { status = 200, headers = {}, body }: { status?: number; headers?: IncomingHttpHeaders; body: Buffer },
): void {
  response.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': body.length, ...headers });
  response.end(body);
}

/** Nothing waits where the driver does not. */
async function read(response: ServerResponse, statements: readonly RecordedStatement[]): Promise<void> {
  const rows = driver?.read(statements) ?? [];
  const results = rows instanceof Promise ? await rows : rows;
  send(response, { body: Buffer.from(JSON.stringify(results.length === 1 ? results[0] : results)) });
}

async function write(response: ServerResponse): Promise<void> {
  const transaction = transactions[written];
  written += 1;
  if (transaction === undefined) return void response.writeHead(410, { 'Content-Length': 0 }).end();
  await driver?.write(transaction);
  response.writeHead(201, { 'Content-Length': 0 }).end();
}

function openDriver(url: string): Driver {
  return url.startsWith('sqlite:') ? sqlite(url.slice('sqlite:'.length)) : mariadbDriver(new URL(url));
}

/** Each commit waits for the disk, as by default. */
function sqlite(path: string): Driver {
  const db = new Database(path, { fileMustExist: true });
  for (const pragma of ['journal_mode = WAL', 'synchronous = FULL', 'cache_size = -16000']) db.pragma(pragma);
  db.function('hcd_fold', { deterministic: true }, foldValue);
  db.function('hcd_digest', { deterministic: true }, digestValue);
  const prepared = new Map<string, Database.Statement<unknown[]>>();
  const run = ({ sql, params }: RecordedStatement): unknown => {
    const statement = prepared.get(sql) ?? db.prepare<unknown[]>(sql);
    prepared.set(sql, statement);
    return statement.reader ? statement.all(...params) : statement.run(...params);
  };
  return {
    read: (statements) => statements.map(run),
    write(statements) {
      db.exec('BEGIN IMMEDIATE');
      statements.forEach(run);
      db.exec('COMMIT');
    },
  };
}

function mariadbDriver(url: URL): Driver {
  const pool = mariadb.createPool({
    ...{ host: url.hostname, port: Number(url.port), user: url.username, database: url.pathname.slice(1) },
    // Text must compare as it does for the program, or other indexes would be used.
    ...{ collation: 'UTF8MB4_UNICODE_CI', bigIntAsNumber: true, checkDuplicate: false, connectionLimit: 10 },
  });
  return {
    async read(statements) {
      const results: unknown[] = [];
      for (const { sql, params } of statements) results.push(await pool.execute(sql, [...params]));
      return results;
    },
    async write(statements) {
      const connection = await pool.getConnection();
      await connection.query('START TRANSACTION');
      for (const { sql, params } of statements) await connection.execute(sql, [...params]);
      await connection.query('COMMIT');
      await connection.release();
    },
  };
}
