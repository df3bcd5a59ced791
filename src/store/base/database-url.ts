/** Reads and prints the address of a database: `sqlite:PATH` or `mariadb://USER:PASS@HOST:PORT/DB`. Opens nothing. */
import { maskDatabaseUrl } from '../../config/address-values.js';
import { AppError } from '../../errors/app-error.js';

export interface SqliteAddress {
  readonly dialect: 'sqlite';
  readonly path: string;
}

export interface MariadbAddress {
  readonly dialect: 'mariadb';
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
  readonly socketPath: string | null;
  /** `require` encrypts without checking the certificate, `verify` checks it too. */
  readonly tls: 'off' | 'require' | 'verify';
}

export type DatabaseAddress = SqliteAddress | MariadbAddress;

const tlsModes: readonly MariadbAddress['tls'][] = ['off', 'require', 'verify'];

/** The address in `text`; configuration_invalid names the part that is wrong, never the password. */
export function parseDatabaseUrl(text: string): DatabaseAddress {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(text)?.[1]?.toLowerCase();
  if (scheme === 'sqlite') return parseSqlite(text);
  if (scheme === 'mariadb' || scheme === 'mysql') return parseMariadb(text);
  throw invalid(text, scheme === undefined ? 'the scheme is missing' : `the scheme "${scheme}" is not known`);
}

function parseSqlite(text: string): SqliteAddress {
  const rest = text.slice('sqlite:'.length);
  if (rest.startsWith('//') && !rest.startsWith('///')) {
    throw invalid(
      text,
      'the path begins with "//": write sqlite:./file for a relative and sqlite:/file for an absolute path',
    );
  }
  const path = rest.startsWith('///') ? rest.slice(2) : rest;
  if (path === '') throw invalid(text, 'the path is missing');
  if (path === ':memory:') throw invalid(text, 'a database in memory cannot be shared by processes: name a file');
  if (/[?\0]/.test(path)) throw invalid(text, 'the path contains "?" or a NUL byte, and sqlite takes no parameters');
  return { dialect: 'sqlite', path };
}

/** user, password, host, port, path, query, fragment. The WHATWG parser has no room for an empty host (a socket). */
const mariadbPattern =
  /^[a-z]+:\/\/(?:([^:@/?#]*)(?::([^@/?#]*))?@)?(\[[^\]/]*\]|[^:@/?#[\]]*)(?::([^@/?#]*))?(?:\/([^?#]*))?(?:\?([^#]*))?(#.*)?$/i;

function parseMariadb(text: string): MariadbAddress {
  const match = mariadbPattern.exec(text);
  if (match === null) {
    throw invalid(
      text,
      'it does not read as USER:PASS@HOST:PORT/DB; write special characters in user and password percent-encoded',
    );
  }
  const [, user = '', password = '', host = '', port, database = '', query = '', fragment] = match;
  if (fragment !== undefined) throw invalid(text, 'a "#" must be written as %23');
  const parameters = readParameters(text, new URLSearchParams(query));
  if (user === '') throw invalid(text, 'the user is missing');
  if (host === '' && parameters.socketPath === null) throw invalid(text, 'the host is missing');
  if (port !== undefined && !isPort(port)) throw invalid(text, 'the port must be a number from 1 to 65535');
  if (database === '') throw invalid(text, 'the database name after the host is missing');
  if (database.includes('/')) throw invalid(text, 'the database name must be one path segment');
  return {
    dialect: 'mariadb',
    host: host === '' ? 'localhost' : host.replace(/^\[(.*)\]$/, '$1'),
    port: port === undefined ? 3306 : Number(port),
    user: decodePart({ text, part: 'user', value: user }),
    password: decodePart({ text, part: 'password', value: password }),
    database: decodePart({ text, part: 'database name', value: database }),
    ...parameters,
  };
}

function isPort(text: string): boolean {
  return /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65535;
}

function readParameters(text: string, parameters: URLSearchParams): Pick<MariadbAddress, 'socketPath' | 'tls'> {
  for (const name of parameters.keys()) {
    if (name !== 'socketPath' && name !== 'tls') {
      throw invalid(text, `the parameter "${name}" is not known; accepted are socketPath and tls`);
    }
  }
  const socketPath = parameters.get('socketPath');
  if (socketPath === '') throw invalid(text, 'socketPath is empty');
  const wanted = parameters.get('tls') ?? 'off';
  const tls = tlsModes.find((mode) => mode === wanted);
  if (tls === undefined) throw invalid(text, `tls must be one of ${tlsModes.join(', ')}`);
  return { socketPath, tls };
}

function decodePart(part: { text: string; part: string; value: string }): string {
  try {
    return decodeURIComponent(part.value);
  } catch {
    throw invalid(part.text, `the ${part.part} has a broken percent-encoding`);
  }
}

function invalid(text: string, problem: string): AppError {
  return new AppError('configuration_invalid', {
    message: `The database URL "${maskDatabaseUrl(text)}" is not usable: ${problem}. Write sqlite:PATH or mariadb://USER:PASS@HOST:PORT/DB.`,
  });
}
