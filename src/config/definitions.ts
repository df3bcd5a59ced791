/** The only list of process configuration; runtime settings, which live in the database, are in settings.ts. */

import { databaseUrlValue, hostValue, redisUrlValue } from './address-values.js';
import {
  choiceValue,
  definitionRows,
  fileValue,
  integerValue,
  listValue,
  tablePrefixValue,
  textValue,
  type ValueType,
} from './value-type.js';

interface ConfigRules {
  /** Password: an address that is shown with its password masked. */
  readonly secret: 'no' | 'whole' | 'password';
  /** From the folder of the configuration file that holds it, else from the working directory. */
  readonly paths: 'none' | 'database' | 'path';
}

const { row, integer } = definitionRows<ConfigRules>({ secret: 'no', paths: 'none' });

export type ConfigDefinition<T> = ReturnType<typeof row<T>>;

function optional<T>(type: ValueType<T>): ValueType<T | null> {
  return { ...type, parse: (text) => type.parse(text), format: (value) => (value === null ? '' : type.format(value)) };
}

/** off: every file is sent by this server. */
const sendfileHeaders = ['off', 'X-Accel-Redirect', 'X-Sendfile'] as const;
export type SendfileHeader = (typeof sendfileHeaders)[number];

const portValue = integerValue({ min: 0, max: 65_535 });
const folderValue: ValueType<string> = { ...fileValue, accepts: 'the path of a folder' };
const database = { secret: 'password', paths: 'database' } as const;

export const configDefinitions = Object.freeze({
  database: row(
    { type: databaseUrlValue, default: 'sqlite:./hcd.sqlite', ...database },
    'Database of the content: a SQLite file, MariaDB or MySQL.',
  ),
  database_read_urls: row(
    { type: listValue(databaseUrlValue), default: [], ...database },
    'Read replicas of the database.',
  ),
  own_database: row(
    { type: optional(databaseUrlValue), default: null, ...database },
    'Separate database for the hcd_ tables; unset: the database of the content.',
  ),
  content_prefix: row({ type: tablePrefixValue, default: 'modx_' }, 'Prefix of the content tables; may be empty.'),
  repair_encoding: row(
    { type: choiceValue(['on', 'off']), default: 'off' },
    'Reads double-encoded texts of an attached site in MariaDB as they were meant; only ASCII text can be written then.',
  ),
  host: row({ type: hostValue, default: '127.0.0.1' }, 'Address of the server.'),
  port: row({ type: portValue, default: 8080 }, 'Port of the server; 0 picks a free one.'),
  workers: integer({ min: 1, max: 256, default: 1, unit: 'processes' }, 'HTTP processes on this machine.'),
  admin_port: row(
    { type: optional(portValue), default: null },
    'Port of the admin listener (/livez, /readyz, /metrics); 0 picks a free one, unset: none.',
  ),
  admin_host: row(
    { type: hostValue, default: '127.0.0.1' },
    'Address of the admin listener, which needs no credential: use a private network.',
  ),
  max_connections: integer(
    { min: 10, max: 1_000_000, default: 10_000, unit: 'connections' },
    'Open connections of a process; above it an idle one of the address with most is closed, else the new one.',
  ),
  max_waiting_requests: integer(
    { min: 1, max: 1000, default: 32, unit: 'requests' },
    'Pipelined requests that wait on a connection; while there are more, it is not read.',
  ),
  max_queue_ms: integer(
    { min: 25, max: 60_000, default: 2000, unit: 'milliseconds' },
    'Expected wait above which requests of the busiest caller are refused with 503.',
  ),
  max_unsent_bytes: integer(
    { min: 65_536, max: 1_073_741_824, default: 8_388_608, unit: 'bytes' },
    'Unread answer bytes of a connection above which none of its requests starts.',
  ),
  max_total_unsent_bytes: integer(
    { min: 1_048_576, max: 1_099_511_627_776, default: 268_435_456, unit: 'bytes' },
    'Unread answer bytes of a process above which the slowest readers are disconnected.',
  ),
  answer_stall_seconds: integer(
    { min: 1, max: 3600, default: 30, unit: 'seconds' },
    'Time after which a client that reads nothing of its answer is disconnected.',
  ),
  compression: row(
    { type: choiceValue(['on', 'off']), default: 'on' },
    'Compresses answers; turn it off if a proxy compresses them.',
  ),
  rate_limit_store: row(
    { type: choiceValue(['auto', 'memory', 'redis']), default: 'auto' },
    'Where requests are counted for rate limits. auto: Redis if its address is set, else memory that the workers of a server share. Several machines need redis.',
  ),
  redis: row(
    { type: optional(redisUrlValue), default: null, secret: 'password' },
    'Redis server that counts requests and announces changes to other servers; unset: none.',
  ),
  redis_prefix: row(
    {
      type: textValue({ accepts: '1 to 64 characters of A-Z a-z 0-9 _ . : -', pattern: /^[\w.:-]{1,64}$/ }),
      default: 'hcd:',
    },
    'Prefix of keys and channels in Redis; sites that share a server need different ones.',
  ),
  log_level: row(
    { type: choiceValue(['debug', 'info', 'warn', 'error']), default: 'info' },
    'Lowest level that is logged.',
  ),
  log_format: row(
    { type: choiceValue(['auto', 'text', 'json']), default: 'auto' },
    'Form of log lines; auto is text on a terminal and JSON elsewhere.',
  ),
  secret: row(
    {
      type: optional(textValue({ accepts: 'a text of 16 characters or more', pattern: /^.{16,}$/s })),
      default: null,
      secret: 'whole',
    },
    'Root key for cookies, cursors, signed links and stored secrets; unset: created in the database.',
  ),
  objects_dir: row(
    { type: folderValue, default: './objects', paths: 'path' },
    'Folder with the definitions of extra objects, one JSON file each.',
  ),
  files_dir: row(
    { type: folderValue, default: './files', paths: 'path' },
    'Folder of the files and pictures of an own store, served under /files.',
  ),
  sendfile_header: row(
    { type: choiceValue(sendfileHeaders), default: 'off' },
    'Header with which the web server in front sends large files itself.',
  ),
  plugins: row({ type: listValue(fileValue), default: [], paths: 'path' }, 'Plugin modules to load at start.'),
});

const variables: Readonly<Partial<Record<string, string>>> = {
  database: 'HCD_DATABASE_URL',
  own_database: 'HCD_OWN_DATABASE_URL',
  redis: 'HCD_REDIS_URL',
};

/** The variable of the environment, also that of a runtime setting. */
export function variableOf(name: string): string {
  return variables[name] ?? `HCD_${name.toUpperCase()}`;
}

type Definitions = typeof configDefinitions;
export type ConfigName = keyof Definitions;

export type Config = { readonly [Name in ConfigName]: Definitions[Name] extends ConfigDefinition<infer T> ? T : never };

export const configNames: readonly ConfigName[] = Object.freeze(
  Object.keys(configDefinitions).filter((name): name is ConfigName => name in configDefinitions),
);

export type Environment = Readonly<Record<string, string | undefined>>;

/** Set but empty counts as unset, as container tools pass unset variables on. */
export function readVariable(env: Environment, name: string): string | undefined {
  const value = env[name];
  return value === '' ? undefined : value;
}
