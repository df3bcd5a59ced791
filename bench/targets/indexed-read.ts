/**
 * Yardstick of published pages: a bare node:http server that runs one indexed read through the bare driver and then sends
 * the very bytes that the program answered, or 304 for their tag. Nothing is checked, routed or logged.
 */

import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import Database from 'better-sqlite3';
import mariadb from 'mariadb';

/** The file through which the bench tells this server what to answer. */
export interface IndexedAnswers {
  readonly databaseUrl: string;
  readonly sql: string;
  readonly answers: readonly {
    /** Path and query. */
    readonly path: string;
    /** The parameter of the read. */
    readonly key: number;
    /** As base64. */
    readonly body: string;
    readonly tag: string;
  }[];
}

const { databaseUrl, sql, answers }: IndexedAnswers = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'));
const byPath = new Map(
  answers.map(({ path, key, body, tag }) => [path, { key, tag, body: Buffer.from(body, 'base64') }]),
);
type Answer = NonNullable<ReturnType<typeof byPath.get>>;
const read = databaseUrl.startsWith('sqlite:') ? sqliteRead() : mariadbRead();

function sqliteRead(): (key: number) => Promise<unknown> | undefined {
  const db = new Database(databaseUrl.slice('sqlite:'.length), { readonly: true, fileMustExist: true });
  const statement = db.prepare<[number]>(sql);
  return (key) => {
    statement.get(key);
    return undefined;
  };
}

function mariadbRead(): (key: number) => Promise<unknown> {
  const { hostname, port, username, pathname } = new URL(databaseUrl);
  const pool = mariadb.createPool({
    ...{ host: hostname, port: Number(port), user: username, database: pathname.slice(1) },
    connectionLimit: 10,
    checkDuplicate: false,
  });
  return (key) => pool.execute(sql, [key]);
}

const server = createServer((request, response) => {
  const answer = byPath.get(request.url ?? '');
  if (answer === undefined) {
    response.writeHead(404).end();
    return;
  }
  const isKnown = request.headers['if-none-match'] === answer.tag;
  const pending = read(answer.key);
  if (pending === undefined) send(response, answer, isKnown);
  else void pending.then(() => send(response, answer, isKnown));
});

function send(response: ServerResponse, { body, tag }: Answer, isKnown: boolean): void {
  if (isKnown) {
    response.writeHead(304, { ETag: tag }).end();
    return;
  }
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': body.length, ETag: tag });
  response.end(body);
}

server.keepAliveTimeout = 65_000;
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object') process.stderr.write(`listening on http://127.0.0.1:${address?.port}\n`);
});
