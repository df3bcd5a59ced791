/** Addresses in the configuration: of servers, web pages that may call them, databases and Redis. */

import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { AppError } from '../errors/app-error.js';
import { accept } from '../values/checked.js';
import { parseUrl } from '../values/text.js';
import { listValue, textValue, type ValueType, withoutEndSlash } from './value-type.js';

export const everyOrigin = '*';

const originsValue = listValue(textValue({ isAccepted: isOrigin }), {
  accepts: 'a comma list of origins such as https://www.example.com, or only *',
});

/** Compared as text, so only the form that browsers send; `null` is refused, because every sandboxed page has it. */
export const corsOriginsValue: ValueType<readonly string[]> = {
  ...originsValue,
  parse: (text) => (text.trim() === everyOrigin ? accept(Object.freeze([everyOrigin])) : originsValue.parse(text)),
};

function isOrigin(text: string): boolean {
  // Apps in a web view use their own schemes, whose origins the URL class does not know.
  if (!/^https?:/.test(text)) return /^[a-z][a-z0-9+.-]*:\/\/[a-z0-9._-]+(?::\d{1,5})?$/.test(text);
  // The class accepts characters that no name has, such as the asterisk of a pattern.
  return /^https?:\/\/[a-z0-9._:[\]-]+$/.test(text) && parseUrl(text)?.origin === text;
}

/** The text goes into a header as it is. */
export const headerNamesValue = textValue({
  accepts: 'a comma list of names, or empty',
  pattern: /^(?:[\w!#$%&'*+.^`|~-]+(?: ?, ?[\w!#$%&'*+.^`|~-]+)*)?$/,
});

const label = /^[a-z\d_](?:[a-z\d_-]{0,61}[a-z\d_])?$/i;

/** Never with a port. */
export const hostValue = textValue({
  accepts: 'a host name or IP address',
  isAccepted: (text) => isIP(text) !== 0 || isHostName(text),
});

/** Digits at the end are a port or a broken IP address. */
function isHostName(text: string): boolean {
  const labels = text.split('.');
  return text.length <= 253 && labels.every((part) => label.test(part)) && !/^\d+$/.test(labels.at(-1) ?? '');
}

/** A server on all addresses answers on the loopback one. */
export function listeningAddress({ host, port }: { readonly host: string; readonly port: number }): string {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}

const publicUrlForm = /^https?:\/\/(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?(?:\/[a-z0-9._~-]+)*\/?$/i;

/** With the path that a proxy puts in front, without a slash at the end. */
export const publicUrlValue = withoutEndSlash(
  textValue({
    accepts: 'an address such as https://example.com or https://example.com/cms, or nothing',
    isAccepted: (text) => text === '' || (publicUrlForm.test(text) && parseUrl(text) !== null),
  }),
);

export const assetsUrlValue = textValue({
  accepts: 'an address such as https://cdn.example.com/assets/, a path such as /assets/, or nothing',
  isAccepted: (text) =>
    text === '' || /^\/(?!\/)[A-Za-z0-9._~/-]*$/.test(text) || (publicUrlForm.test(text) && parseUrl(text) !== null),
});

const previewUrlForm =
  /^https?:\/\/(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?(?:[/?#](?:(?!["<>\\^`{|}])[!-~]|\{(?:uri|id|context|token)\})*)?$/i;

/** Places only after the host, so that no value chooses who gets the token. */
export const previewUrlValue = textValue({
  accepts: 'an http or https address with {uri}, {id}, {context} or {token} after its host, or nothing',
  isAccepted: (text) => text === '' || (previewUrlForm.test(text) && parseUrl(text) !== null),
});

/** Only the scheme is checked; the store, which opens it, has the full grammar. */
export const databaseUrlValue = textValue({
  accepts: 'sqlite:PATH or mariadb://USER:PASS@HOST:PORT/DB (mysql:// too, ?socketPath= for a socket)',
  pattern: /^(?:sqlite:|(?:mariadb|mysql):\/\/)./is,
  shown: maskDatabaseUrl,
});

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

/** Throws configuration_invalid, which never shows the password. */
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

/** user, password, host, port, path, query, fragment. The WHATWG parser refuses an empty host (a socket). */
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

export function resolveDatabaseUrl(url: string, folder: string): string {
  const path = /^sqlite:(?:\/\/(?=\/))?([^/:].*|\/(?!\/).*)$/is.exec(url)?.[1];
  return path === undefined ? url : `sqlite:${resolve(folder, path)}`;
}

const secretName = /pass|pwd|secret|token|key/i;

/** Also masks texts that are not addresses, and a password among the parameters. */
export function maskDatabaseUrl(url: string): string {
  if (/^sqlite:/i.test(url)) return url;
  return url
    .replace(/^((?:[a-z][a-z0-9+.-]*:\/{0,2})?[^:/?#@]*):(?!\/\/).*@/is, '$1:***@')
    .replace(/([?&])([^=&#?]*)=[^&#]*/g, (pair, sign, name) => (secretName.test(name) ? `${sign}${name}=***` : pair));
}

export interface RedisAddress {
  readonly at:
    | { readonly host: string; readonly port: number; readonly tls: boolean }
    | { readonly socketPath: string };
  readonly username: string | null;
  readonly password: string | null;
  readonly database: number;
}

/** User and password are percent-encoded; Redis would not ask a user without a password for one. */
const overNetwork =
  /^(rediss?):\/\/(?:([^:@/?#]*):([^:@/?#]+)@)?([\w.-]+|\[[\da-f:.]+\])(?::(\d{1,5}))?(?:\/(\d{1,5})?)?$/i;
const overSocket = /^unix:\/\/(?:([^:@/?#]*):([^:@/?#]+)@)?(\/[^?#]+)(?:\?db=(\d{1,5}))?$/i;

export function parseRedisUrl(text: string): RedisAddress | undefined {
  const network = overNetwork.exec(text);
  if (network !== null) {
    const [, scheme = '', username, password, host = '', port = '6379', database] = network;
    if (Number(port) < 1 || Number(port) > 65_535) return undefined;
    const tls = scheme.toLowerCase() === 'rediss';
    return withCredentials(
      { at: { host: host.replace(/^\[|\]$/g, ''), port: Number(port), tls }, database: Number(database ?? 0) },
      { username, password },
    );
  }
  const [whole, username, password, path = '', database] = overSocket.exec(text) ?? [];
  const socketPath = decoded(path);
  if (whole === undefined || socketPath === undefined) return undefined;
  return withCredentials({ at: { socketPath }, database: Number(database ?? 0) }, { username, password });
}

function withCredentials(
  place: Pick<RedisAddress, 'at' | 'database'>,
  given: { readonly username: string | undefined; readonly password: string | undefined },
): RedisAddress | undefined {
  const username = decoded(given.username ?? '');
  const password = decoded(given.password ?? '');
  if (username === undefined || password === undefined) return undefined;
  return Object.freeze({ ...place, username: username || null, password: password || null });
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** A refused address may hold a password anywhere, so none of it is shown. */
export const redisUrlValue = textValue({
  accepts:
    'redis://[[USER]:PASSWORD@]HOST[:PORT][/NUMBER] (rediss:// with TLS) or unix://[[USER]:PASSWORD@]/PATH[?db=NUMBER]',
  isAccepted: (text) => parseRedisUrl(text) !== undefined,
  shown: () => '***',
});
