/** The address of a Redis server: what is accepted, and its parts. Nothing is opened. */
import { accept, type Checked } from '../values/checked.js';
import { refusal, type ValueType } from './value-type.js';

export interface RedisAddress {
  /** A host and port, or the path of a socket on this machine. */
  readonly at:
    | { readonly host: string; readonly port: number; readonly tls: boolean }
    | { readonly socketPath: string };
  /** Null for the default user. */
  readonly username: string | null;
  readonly password: string | null;
  /** Number of the database. */
  readonly database: number;
}

const accepts =
  'redis://[[USER]:PASSWORD@]HOST[:PORT][/NUMBER] (rediss:// with TLS) or unix://[[USER]:PASSWORD@]/PATH[?db=NUMBER]';

/** User and password come percent-encoded; a user without a password would not be asked for any. */
const overNetwork =
  /^(rediss?):\/\/(?:([^:@/?#]*):([^:@/?#]+)@)?([\w.-]+|\[[\da-f:.]+\])(?::(\d{1,5}))?(?:\/(\d{1,5})?)?$/i;
const overSocket = /^unix:\/\/(?:([^:@/?#]*):([^:@/?#]+)@)?(\/[^?#]+)(?:\?db=(\d{1,5}))?$/i;

const usualPort = 6379;

/** The parts of an accepted address; undefined for any other text. */
export function parseRedisUrl(text: string): RedisAddress | undefined {
  const network = overNetwork.exec(text);
  if (network !== null) {
    const [, scheme = '', username, password, host = '', port = String(usualPort), database] = network;
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

/** Undefined when they are not well encoded. */
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

function parse(text: string): Checked<string> {
  // A refused address may hold a password anywhere, so none of it is shown.
  return parseRedisUrl(text) === undefined ? refusal(accepts, '***') : accept(text);
}

/** An address of a Redis server. */
export const redisUrlValue: ValueType<string> = { kind: 'text', accepts, parse, format: (value) => value };
