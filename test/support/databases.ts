/**
 * Fresh empty databases for tests, and groups that run once per kind of database. Everything made here is gone when
 * the test file is done.
 */
import { connect } from 'node:net';
import { join } from 'node:path';
import type { Connection } from 'mariadb';
import { describe, inject } from 'vitest';
import { type MariadbServer, startMariadbFrom } from './mariadb-server.js';
import { makeTempDir } from './temp-dir.js';

export type { MariadbServer } from './mariadb-server.js';

export interface TestDatabase {
  readonly name: 'sqlite' | 'mariadb';
  /** URL of a new empty database; another one at each call. */
  url(): Promise<string>;
}

/** For groups whose rules no database touches. */
export const sqlite: TestDatabase = { name: 'sqlite', url: freshSqliteUrl };
const mariadb: TestDatabase = { name: 'mariadb', url: freshMariadbUrl };

const created: string[] = [];
const started: MariadbServer[] = [];
let counter = 0;

/** Runs the group once on SQLite and once on MariaDB; the latter is skipped where no server can be had. */
export function describeEachDatabase(name: string, body: (database: TestDatabase) => void): void {
  describe(`${name} (sqlite)`, () => body(sqlite));
  describeWithMariadb(`${name} (mariadb)`, () => body(mariadb));
}

/** A group that needs MariaDB: freshMariadbUrl works in it. */
export function describeWithMariadb(name: string, body: () => void): void {
  describe.skipIf(!isMariadbAvailable())(name, body);
}

/** A group that starts and kills its own MariaDB: startMariadb works in it. */
export function describeWithOwnMariadb(name: string, body: () => void): void {
  describe.skipIf(inject('mariadbBroker') === null)(name, body);
}

/** Whether freshMariadbUrl works in this run. */
export function isMariadbAvailable(): boolean {
  return (inject('givenMariadb') ?? inject('mariadbBroker')) !== null;
}

/** `sqlite:PATH` of a file that does not exist yet, in a directory of its own. */
export async function freshSqliteUrl(): Promise<string> {
  return `sqlite:${join(await makeTempDir('sqlite'), 'test.sqlite')}`;
}

/** URL of a new empty MariaDB database. */
export async function freshMariadbUrl(): Promise<string> {
  counter += 1;
  const name = `hcd_${process.pid}_${process.hrtime.bigint().toString(36)}_${counter}`;
  const url = new URL(await mariadbServerUrl());
  await executeOnMariadb(url.href, [`CREATE DATABASE ${name}`]);
  created.push(name);
  url.pathname = `/${name}`;
  return url.href;
}

/** A private server for one test that kills, restarts or freezes it; ended when the file is done. */
export async function startMariadb(options: readonly string[] = []): Promise<MariadbServer> {
  const server = await startMariadbFrom(await mariadbTemplate(), options);
  started.push(server);
  return server;
}

/** A data directory with the system tables, to be copied for a server. */
export function mariadbTemplate(): Promise<string> {
  return askBroker('template');
}

/** Executes statements on the server or database of `url` over a connection of its own. */
export function executeOnMariadb(url: string, statements: readonly string[]): Promise<void> {
  return withMariadb(url, async (connection) => {
    for (const statement of statements) await connection.query(statement);
  });
}

/** Works on the server or database of `url` over a connection of its own, whose rows are lists of values. */
export async function withMariadb<T>(url: string, work: (connection: Connection) => Promise<T>): Promise<T> {
  const { hostname, port, username, password, pathname, searchParams } = new URL(url);
  const socketPath = searchParams.get('socketPath');
  // Loaded on use: every test file loads this one, and few open a database.
  const { createConnection } = await import('mariadb');
  const connection = await createConnection({
    ...(socketPath ? { socketPath } : { host: hostname, port: Number(port || 3306) }),
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    ...(pathname.length > 1 ? { database: pathname.slice(1) } : {}),
    rowsAsArray: true,
    // A busy machine takes the time that it takes.
    connectTimeout: 60_000,
  });
  try {
    return await work(connection);
  } finally {
    await connection.end();
  }
}

/** Drops the databases and ends the servers of this file; called by `after-file.ts`. */
export async function removeDatabases(): Promise<void> {
  await Promise.all(started.splice(0).map((server) => server.stop()));
  const names = created.splice(0);
  if (names.length === 0) return;
  await executeOnMariadb(await mariadbServerUrl(), [
    // A connection that a test left open would hold its tables for a day; the leak check names it better.
    'SET SESSION lock_wait_timeout = 60',
    ...names.map((name) => `DROP DATABASE IF EXISTS ${name}`),
  ]);
}

async function mariadbServerUrl(): Promise<string> {
  return inject('givenMariadb') ?? (await askBroker('shared'));
}

/** Asks the set-up process, which starts each server once per run. */
function askBroker(question: 'shared' | 'template'): Promise<string> {
  const port = inject('mariadbBroker');
  if (port === null) throw new Error('MariaDB is not installed: wrap the group in one of the describe functions above');
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect({ host: '127.0.0.1', port }, () => socket.write(`${question}\n`));
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    socket.once('error', reject);
    socket.once('close', () => {
      const reply: unknown = text === '' ? {} : JSON.parse(text);
      if (typeof reply === 'object' && reply !== null && 'answer' in reply) resolve(String(reply.answer));
      else reject(new Error(`no MariaDB server: ${text}`));
    });
  });
}
