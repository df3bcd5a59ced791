/** Database addresses: what is read from a URL, what is refused, and that a password never shows. */
import { expect, it } from 'vitest';
import { maskDatabaseUrl, parseDatabaseUrl } from '../../src/config/address-values.js';
import { AppError } from '../../src/errors/app-error.js';

const mariadb = {
  dialect: 'mariadb',
  host: 'db.example',
  port: 3306,
  user: 'app',
  password: 'secret',
  database: 'site',
  socketPath: null,
  tls: 'off',
};

it.each([
  ['a relative path', 'sqlite:./hcd.sqlite', { dialect: 'sqlite', path: './hcd.sqlite' }],
  ['an absolute path', 'sqlite:/var/lib/hcd.sqlite', { dialect: 'sqlite', path: '/var/lib/hcd.sqlite' }],
  [
    'an absolute path with an empty authority',
    'sqlite:///var/lib/hcd.sqlite',
    { dialect: 'sqlite', path: '/var/lib/hcd.sqlite' },
  ],
  [
    'a path with spaces and percent signs as it is',
    'sqlite:my site%20.db',
    { dialect: 'sqlite', path: 'my site%20.db' },
  ],
  ['a MariaDB server on its usual port', 'mariadb://app:secret@db.example/site', mariadb],
  ['the scheme of MySQL, in any case', 'MySQL://app:secret@db.example:3307/site', { ...mariadb, port: 3307 }],
  ['an IPv6 address', 'mariadb://app:secret@[::1]:3307/site', { ...mariadb, host: '::1', port: 3307 }],
  ['no password', 'mariadb://app@db.example/site', { ...mariadb, password: '' }],
  [
    'percent-encoded credentials',
    'mariadb://a%40b:p%3A%2F%23@db.example/s%20t',
    { ...mariadb, user: 'a@b', password: 'p:/#', database: 's t' },
  ],
  [
    'a socket without a host',
    'mariadb://app:secret@/site?socketPath=/run/db.sock',
    { ...mariadb, host: 'localhost', socketPath: '/run/db.sock' },
  ],
  ['encryption', 'mariadb://app:secret@db.example/site?tls=verify', { ...mariadb, tls: 'verify' }],
])('reads %s', (_name, url, address) => {
  expect(parseDatabaseUrl(url)).toEqual(address);
});

it.each([
  ['no scheme', 'hcd.sqlite', 'the scheme is missing'],
  ['an unknown scheme', 'postgres://app:secret@h/db', 'the scheme "postgres" is not known'],
  ['an empty path', 'sqlite:', 'the path is missing'],
  ['a database in memory', 'sqlite::memory:', 'a database in memory cannot be shared by processes: name a file'],
  [
    'parameters of a file',
    'sqlite:a.db?mode=ro',
    'the path contains "?" or a NUL byte, and sqlite takes no parameters',
  ],
  [
    'a host before a file',
    'sqlite://a.db',
    'the path begins with "//": write sqlite:./file for a relative and sqlite:/file for an absolute path',
  ],
  ['no user', 'mariadb://db.example/site', 'the user is missing'],
  ['no host', 'mariadb://app:secret@/site', 'the host is missing'],
  ['a port of letters', 'mariadb://app:secret@h:abc/site', 'the port must be a number from 1 to 65535'],
  ['port 0', 'mariadb://app:secret@h:0/site', 'the port must be a number from 1 to 65535'],
  ['a port that is too high', 'mariadb://app:secret@h:65536/site', 'the port must be a number from 1 to 65535'],
  ['no database', 'mariadb://app:secret@h/', 'the database name after the host is missing'],
  ['two path segments', 'mariadb://app:secret@h/a/b', 'the database name must be one path segment'],
  [
    'an unknown parameter',
    'mariadb://app:secret@h/db?sslmode=on',
    'the parameter "sslmode" is not known; accepted are socketPath and tls',
  ],
  ['an unknown encryption', 'mariadb://app:secret@h/db?tls=maybe', 'tls must be one of off, require, verify'],
  ['a broken escape in the password', 'mariadb://app:%zz@h/db', 'the password has a broken percent-encoding'],
  ['a fragment', 'mariadb://app:secret@h/db#x', 'a "#" must be written as %23'],
  [
    'an unescaped @',
    'mariadb://app:se@cret@h/db',
    'it does not read as USER:PASS@HOST:PORT/DB; write special characters in user and password percent-encoded',
  ],
])('refuses %s', (_name, url, problem) => {
  const error = refusal(url);
  expect(error.code).toBe('configuration_invalid');
  expect(error.message).toBe(
    `The database URL "${maskDatabaseUrl(url)}" is not usable: ${problem}. Write sqlite:PATH or mariadb://USER:PASS@HOST:PORT/DB.`,
  );
  expect(error.message).not.toMatch(/secret|cret|%zz/);
});

it.each([
  ['a password', 'mariadb://app:secret@h/db', 'mariadb://app:***@h/db'],
  ['an empty password', 'mariadb://app:@h/db', 'mariadb://app:***@h/db'],
  ['a password with @ and / in it', 'mariadb://app:a@b/c@h/db', 'mariadb://app:***@h/db'],
  ['no password', 'mariadb://app@h/db', 'mariadb://app@h/db'],
  ['a path', 'sqlite:/a:b@c', 'sqlite:/a:b@c'],
  ['a password and no scheme', 'app:secret@h/db', 'app:***@h/db'],
  ['a password and half a scheme', 'mariadb:/app:secret@h/db', 'mariadb:/app:***@h/db'],
  ['a password behind a foreign scheme', 'postgres://app:secret@h/db', 'postgres://app:***@h/db'],
  ['a password and no user', 'mariadb://:secret@h/db', 'mariadb://:***@h/db'],
  ['a port and no password', 'mariadb://app@h:3307/db', 'mariadb://app@h:3307/db'],
  [
    'a password among the parameters',
    'mariadb://app@h/db?tls=off&password=secret&socketPath=/s',
    'mariadb://app@h/db?tls=off&password=***&socketPath=/s',
  ],
])('prints a URL with %s', (_name, url, printed) => {
  expect(maskDatabaseUrl(url)).toBe(printed);
});

function refusal(url: string): AppError {
  try {
    parseDatabaseUrl(url);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error(`${url} was accepted`);
}
