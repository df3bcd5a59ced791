/** The only list of process configuration; runtime settings, which live in the database, are in settings.ts. */

import { databaseUrlValue, hostValue, redisUrlValue } from './address-values.js';
import {
  choiceValue,
  fileValue,
  integerValue,
  listValue,
  tablePrefixValue,
  textValue,
  type ValueType,
} from './value-type.js';

export interface ConfigDefinition<T> {
  readonly env: string;
  readonly type: ValueType<T>;
  readonly default: T;
  readonly unit: string | null;
  /** Password: an address that is shown with its password masked. */
  readonly secret: 'no' | 'whole' | 'password';
  /** From the folder of the configuration file that holds it, else from the working directory. */
  readonly paths: 'none' | 'database' | 'path';
  readonly description: string;
}

type DefinitionOptions = Partial<Pick<ConfigDefinition<unknown>, 'unit' | 'secret' | 'paths'>>;

function define<T>(
  how: DefinitionOptions & { readonly env: string; readonly type: ValueType<T>; readonly default: NoInfer<T> },
  description: string,
): ConfigDefinition<T> {
  return Object.freeze({ unit: null, secret: 'no', paths: 'none', ...how, description });
}

function optional<T>(type: ValueType<T>): ValueType<T | null> {
  return { ...type, parse: (text) => type.parse(text), format: (value) => (value === null ? '' : type.format(value)) };
}

/** off: every file is sent by this server. */
const sendfileHeaders = ['off', 'X-Accel-Redirect', 'X-Sendfile'] as const;
export type SendfileHeader = (typeof sendfileHeaders)[number];

const logLevels = ['debug', 'info', 'warn', 'error'] as const;

export const configDefinitions = Object.freeze({
  database: define(
    {
      env: 'HCD_DATABASE_URL',
      type: databaseUrlValue,
      default: 'sqlite:./hcd.sqlite',
      secret: 'password',
      paths: 'database',
    },
    'Database of the content: a SQLite file, MariaDB or MySQL.',
  ),
  database_read_urls: define(
    {
      env: 'HCD_DATABASE_READ_URLS',
      type: listValue(databaseUrlValue),
      default: [],
      secret: 'password',
      paths: 'database',
    },
    'Read replicas of the database.',
  ),
  own_database: define(
    {
      env: 'HCD_OWN_DATABASE_URL',
      type: optional(databaseUrlValue),
      default: null,
      secret: 'password',
      paths: 'database',
    },
    'Separate database for the hcd_ tables; unset: the database of the content.',
  ),
  content_prefix: define(
    {
      env: 'HCD_CONTENT_PREFIX',
      type: tablePrefixValue,
      default: 'modx_',
    },
    'Prefix of the content tables; may be empty.',
  ),
  repair_encoding: define(
    { env: 'HCD_REPAIR_ENCODING', type: choiceValue(['on', 'off']), default: 'off' },
    'Reads double-encoded texts of an attached site in MariaDB as they were meant; only ASCII text can be written then.',
  ),
  host: define({ env: 'HCD_HOST', type: hostValue, default: '127.0.0.1' }, 'Address of the server.'),
  port: define(
    { env: 'HCD_PORT', type: integerValue({ min: 0, max: 65_535 }), default: 8080 },
    'Port of the server; 0 picks a free one.',
  ),
  workers: define(
    { env: 'HCD_WORKERS', type: integerValue({ min: 1, max: 256 }), default: 1, unit: 'processes' },
    'HTTP processes on this machine.',
  ),
  admin_port: define(
    { env: 'HCD_ADMIN_PORT', type: optional(integerValue({ min: 0, max: 65_535 })), default: null },
    'Port of the admin listener (/livez, /readyz, /metrics); 0 picks a free one, unset: none.',
  ),
  admin_host: define(
    { env: 'HCD_ADMIN_HOST', type: hostValue, default: '127.0.0.1' },
    'Address of the admin listener, which needs no credential: use a private network.',
  ),
  max_connections: define(
    {
      env: 'HCD_MAX_CONNECTIONS',
      type: integerValue({ min: 10, max: 1_000_000 }),
      default: 10_000,
      unit: 'connections',
    },
    'Open connections of a process; above it an idle one of the address with most is closed, else the new one.',
  ),
  max_waiting_requests: define(
    { env: 'HCD_MAX_WAITING_REQUESTS', type: integerValue({ min: 1, max: 1000 }), default: 32, unit: 'requests' },
    'Pipelined requests that wait on a connection; while there are more, it is not read.',
  ),
  max_queue_ms: define(
    { env: 'HCD_MAX_QUEUE_MS', type: integerValue({ min: 25, max: 60_000 }), default: 2000, unit: 'milliseconds' },
    'Expected wait above which requests of the busiest caller are refused with 503.',
  ),
  max_unsent_bytes: define(
    {
      env: 'HCD_MAX_UNSENT_BYTES',
      type: integerValue({ min: 65_536, max: 1_073_741_824 }),
      default: 8_388_608,
      unit: 'bytes',
    },
    'Unread answer bytes of a connection above which none of its requests starts.',
  ),
  max_total_unsent_bytes: define(
    {
      env: 'HCD_MAX_TOTAL_UNSENT_BYTES',
      type: integerValue({ min: 1_048_576, max: 1_099_511_627_776 }),
      default: 268_435_456,
      unit: 'bytes',
    },
    'Unread answer bytes of a process above which the slowest readers are disconnected.',
  ),
  answer_stall_seconds: define(
    { env: 'HCD_ANSWER_STALL_SECONDS', type: integerValue({ min: 1, max: 3600 }), default: 30, unit: 'seconds' },
    'Time after which a client that reads nothing of its answer is disconnected.',
  ),
  compression: define(
    { env: 'HCD_COMPRESSION', type: choiceValue(['on', 'off']), default: 'on' },
    'Compresses answers; turn it off if a proxy compresses them.',
  ),
  rate_limit_store: define(
    { env: 'HCD_RATE_LIMIT_STORE', type: choiceValue(['auto', 'memory', 'redis']), default: 'auto' },
    'Where requests are counted for rate limits. auto: Redis if its address is set, else memory that the workers of a server share. Several machines need redis.',
  ),
  redis: define(
    { env: 'HCD_REDIS_URL', type: optional(redisUrlValue), default: null, secret: 'password' },
    'Redis server that counts requests and announces changes to other servers; unset: none.',
  ),
  redis_prefix: define(
    {
      env: 'HCD_REDIS_PREFIX',
      type: textValue({ accepts: '1 to 64 characters of A-Z a-z 0-9 _ . : -', pattern: /^[\w.:-]{1,64}$/ }),
      default: 'hcd:',
    },
    'Prefix of keys and channels in Redis; sites that share a server need different ones.',
  ),
  log_level: define(
    { env: 'HCD_LOG_LEVEL', type: choiceValue(logLevels), default: 'info' },
    'Lowest level that is logged.',
  ),
  log_format: define(
    { env: 'HCD_LOG_FORMAT', type: choiceValue(['auto', 'text', 'json']), default: 'auto' },
    'Form of log lines; auto is text on a terminal and JSON elsewhere.',
  ),
  secret: define(
    {
      env: 'HCD_SECRET',
      type: optional(textValue({ accepts: 'a text of 16 characters or more', pattern: /^.{16,}$/s })),
      default: null,
      secret: 'whole',
    },
    'Root key for cookies, cursors, signed links and stored secrets; unset: created in the database.',
  ),
  objects_dir: define(
    {
      env: 'HCD_OBJECTS_DIR',
      type: { ...fileValue, accepts: 'the path of a folder' },
      default: './objects',
      paths: 'path',
    },
    'Folder with the definitions of extra objects, one JSON file each.',
  ),
  files_dir: define(
    {
      env: 'HCD_FILES_DIR',
      type: { ...fileValue, accepts: 'the path of a folder' },
      default: './files',
      paths: 'path',
    },
    'Folder of the files and pictures of an own store, served under /files.',
  ),
  sendfile_header: define(
    { env: 'HCD_SENDFILE_HEADER', type: choiceValue(sendfileHeaders), default: 'off' },
    'Header with which the web server in front sends large files itself.',
  ),
  plugins: define(
    { env: 'HCD_PLUGINS', type: listValue(fileValue), default: [], paths: 'path' },
    'Plugin modules to load at start.',
  ),
});

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
