/** Failures of drivers and servers become the codes of the catalogue, by code and never by text. */
import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { ConnectionAcquireTimeoutError, DatabaseError } from 'sequelize';
import { expect, it } from 'vitest';
import { AppError } from '../../src/errors/app-error.js';
import { classifyFailure, isLockTimeout, toAppError } from '../../src/store/base/errors.js';
import { openDatabase } from '../../src/store/open/open.js';
import { describeWithMariadb, freshMariadbUrl } from '../support/databases.js';
import { freePort } from '../support/free-port.js';
import { makeTempDir } from '../support/temp-dir.js';
import { opened, run } from './opened.js';

function failure(fields: { code?: string; errno?: number }): Error {
  return Object.assign(new Error('a text that says deadlock, duplicate and refused'), fields);
}

it.each([
  ['a deadlock', failure({ errno: 1213, code: 'ER_LOCK_DEADLOCK' }), 'busy', 'unavailable'],
  ['a lock time-out', failure({ errno: 1205 }), 'busy', 'unavailable'],
  ['a stale snapshot', failure({ errno: 1020 }), 'busy', 'unavailable'],
  ['a cluster node that lost the others during COMMIT', failure({ errno: 1180 }), 'gone', 'unavailable'],
  ['a cluster node that is not ready', failure({ errno: 1047 }), 'busy', 'unavailable'],
  ['a busy file', failure({ code: 'SQLITE_BUSY' }), 'busy', 'unavailable'],
  ['an old snapshot of a file', failure({ code: 'SQLITE_BUSY_SNAPSHOT' }), 'busy', 'unavailable'],
  ['a reset in mid-query', failure({ code: 'ECONNRESET', errno: -104 }), 'gone', 'unavailable'],
  [
    'a connection closed by the server',
    failure({ code: 'ER_SOCKET_UNEXPECTED_CLOSE', errno: 45009 }),
    'gone',
    'unavailable',
  ],
  ['a refused connection', failure({ code: 'ECONNREFUSED', errno: -111 }), 'unreachable', 'unavailable'],
  ['an unknown host', failure({ code: 'ENOTFOUND' }), 'unknown_host', 'unavailable'],
  ['a wrong password', failure({ errno: 1045 }), 'denied', 'database_not_ready'],
  ['a statement that ran too long', failure({ errno: 1969 }), 'timeout', 'unavailable'],
  ['a full disk', failure({ code: 'SQLITE_FULL' }), 'full', 'unavailable'],
  ['a failing disk', failure({ code: 'SQLITE_IOERR_WRITE' }), 'full', 'unavailable'],
  ['an exhausted pool', new ConnectionAcquireTimeoutError(new Error('x')), 'exhausted', 'unavailable'],
  ['a missing table', failure({ errno: 1146 }), 'schema', 'database_not_ready'],
  ['a duplicate key', failure({ errno: 1062 }), 'conflict', 'conflict'],
  ['a duplicate key in a file', failure({ code: 'SQLITE_CONSTRAINT_UNIQUE' }), 'conflict', 'conflict'],
  ['text that is too long', failure({ errno: 1406 }), 'invalid', 'validation_failed'],
  ['a character that the column cannot hold', failure({ errno: 1366 }), 'invalid', 'validation_failed'],
  ['wrong SQL', failure({ errno: 1064 }), 'bug', 'internal_error'],
  ['wrong SQL in a file', failure({ code: 'SQLITE_ERROR' }), 'bug', 'internal_error'],
  ['an error without any code', failure({}), 'bug', 'internal_error'],
  ['something that is no error', 'deadlock', 'bug', 'internal_error'],
])('knows %s by its code', (_name, error, kind, code) => {
  expect(classifyFailure(error)).toBe(kind);
  expect(toAppError(error)).toMatchObject({
    code,
    cause: error,
    details: code === 'unavailable' ? { retryAfter: 5 } : {},
  });
});

it('tells a row that is held from what makes a transaction void', () => {
  const held = failure({ errno: 1205, code: 'ER_LOCK_WAIT_TIMEOUT' });
  expect([held, new DatabaseError(Object.assign(held, { sql: '' })), toAppError(held)].map(isLockTimeout)).toEqual([
    true,
    true,
    true,
  ]);
  const others = [
    failure({ errno: 1213 }),
    failure({ code: 'SQLITE_BUSY' }),
    failure({}),
    new AppError('conflict'),
    null,
  ];
  expect(others.map(isLockTimeout)).toEqual(others.map(() => false));
});

it('looks through the errors of Sequelize and of the program', () => {
  const deadlock = Object.assign(failure({ errno: 1213 }), { sql: 'UPDATE x' });
  const wrapped = new DatabaseError(deadlock);
  expect(classifyFailure(wrapped)).toBe('busy');
  expect(classifyFailure(toAppError(wrapped))).toBe('busy');
});

it('leaves errors of the program as they are', () => {
  const own = new AppError('not_found');
  expect(toAppError(own)).toBe(own);
});

it('says what to do when a file is not a database', async () => {
  const path = join(await makeTempDir(), 'text.sqlite');
  await writeFile(path, 'this is no database, but it is longer than a header of one hundred bytes. '.repeat(20));
  await expect(openDatabase({ url: `sqlite:${path}` })).rejects.toMatchObject({
    code: 'database_unreachable',
    message: `The database sqlite:${path} cannot be opened: ${path} is damaged or is not a SQLite file. Restore a backup, or name another file.`,
  });
});

it('says what to do when a folder cannot be made', async () => {
  const file = join(await mkdtemp(join(await makeTempDir(), 'x-')), 'file');
  await writeFile(file, '');
  await expect(openDatabase({ url: `sqlite:${file}/hcd.sqlite` })).rejects.toMatchObject({
    code: 'database_unreachable',
    message: `The database sqlite:${file}/hcd.sqlite cannot be opened: check that the folder of ${file}/hcd.sqlite exists and that this user may write the file and the folder.`,
  });
});

it('does not make a missing file when told so', async () => {
  const path = join(await makeTempDir(), 'none.sqlite');
  await expect(openDatabase({ url: `sqlite:${path}`, create: false })).rejects.toMatchObject({
    code: 'database_unreachable',
  });
});

it('refuses replicas of a file', async () => {
  await expect(openDatabase({ url: 'sqlite:x', readUrls: ['mariadb://a:b@c/d'] })).rejects.toMatchObject({
    code: 'configuration_invalid',
  });
});

it('says what to do when nothing listens', async () => {
  const port = await freePort();
  await expect(openDatabase({ url: `mariadb://app:secret@127.0.0.1:${port}/site` })).rejects.toMatchObject({
    code: 'database_unreachable',
    message: `The database mariadb://app:***@127.0.0.1:${port}/site cannot be opened: nothing answers at 127.0.0.1:${port}. Start the database server, or correct host and port.`,
  });
});

it('says what to do when a socket is missing', async () => {
  const socket = join(await makeTempDir(), 'socket');
  await expect(openDatabase({ url: `mariadb://app:secret@/site?socketPath=${socket}` })).rejects.toMatchObject({
    code: 'database_unreachable',
    message: expect.stringContaining(`nothing answers at ${socket}.`),
  });
});

describeWithMariadb('a MariaDB server that refuses', () => {
  it('is reported with the user but without the password', async () => {
    const url = new URL(await freshMariadbUrl());
    url.username = 'stranger';
    url.password = 'hunter2';
    const error = await openDatabase({ url: url.href }).catch((caught: unknown) => caught);
    expect(error).toMatchObject({
      code: 'database_unreachable',
      message: expect.stringMatching(
        /the server refused the user "stranger"\. Correct user and password, or grant it the database .* with \?tls=require\.$/,
      ),
    });
    expect(String(error)).not.toContain('hunter2');
  });

  it('is reported with the name of the missing database', async () => {
    const url = new URL(await freshMariadbUrl());
    url.pathname = '/no_such_database';
    await expect(openDatabase({ url: url.href })).rejects.toMatchObject({
      code: 'database_unreachable',
      message: expect.stringContaining(
        'Create it with CREATE DATABASE `no_such_database` CHARACTER SET utf8mb4, or correct the name.',
      ),
    });
  });
});

describeWithMariadb('a statement that MariaDB refuses', () => {
  it('is reported without its parameters, which may be digests of passwords and ids of sessions', async () => {
    const database = await opened({ url: await freshMariadbUrl() });
    const insert = { sql: 'INSERT INTO kept (id, secret) VALUES (?, ?)', params: [1, 'a hidden text'] };
    await run(database, 'CREATE TABLE kept (id int PRIMARY KEY, secret text)');
    await database.write((tx) => tx.run(insert));
    const error: unknown = await database.write((tx) => tx.run(insert)).catch((refused: unknown) => refused);
    const report = inspect(error, { depth: 10 });
    expect(report).toContain("Duplicate entry '1'");
    expect(report).not.toContain('hidden');
  });
});
