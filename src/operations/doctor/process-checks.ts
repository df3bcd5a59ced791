/** Checks of this machine: Node.js, the SQLite library, the configuration, Redis, and the files of an embedded database. */
import { statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { maskDatabaseUrl, parseDatabaseUrl, parseRedisUrl } from '../../config/address-values.js';
import { configNames, type Environment, variableOf } from '../../config/definitions.js';
import { nearMatch } from '../../config/near-match.js';
import { settingKeys } from '../../config/settings.js';
import { AppError } from '../../errors/app-error.js';
import { counterPlace } from '../../identity/limits/open-counter.js';
import { describeFailure, isLasting, openRedisLink, RedisFailure } from '../../identity/limits/redis-link.js';
import type { Database } from '../../store/base/database.js';
import { classifyFailure } from '../../store/base/errors.js';
import { loadSqliteDriver } from '../../store/sqlite/connection.js';
import { roomForConnections } from '../processes/open-files.js';
import {
  type Check,
  type ConfiguredFacts,
  error,
  type Facts,
  type Finding,
  ok,
  type StoreFacts,
  sample,
  warning,
} from './check.js';

/** The same as in package.json. */
const neededNode = { major: 20, minor: 17 };

export const processChecks: readonly Check[] = [
  { name: 'node', needs: 'nothing', run: checkNode },
  { name: 'sqlite-library', needs: 'nothing', run: checkSqlite },
  { name: 'configuration', needs: 'nothing', run: checkConfiguration },
  { name: 'configuration-file', needs: 'configuration', run: checkFile },
  { name: 'open-files', needs: 'configuration', run: checkOpenFiles },
  { name: 'redis', needs: 'configuration', run: checkRedis },
];

async function checkNode({ nodeVersion }: Facts): Promise<Finding> {
  const [, major = '0', minor = '0'] = /^v?(\d+)\.(\d+)/.exec(nodeVersion) ?? [];
  const reached = Number(major) * 1000 + Number(minor) >= neededNode.major * 1000 + neededNode.minor;
  const needed = `${neededNode.major}.${neededNode.minor}`;
  return reached
    ? ok(`Node.js ${nodeVersion}`)
    : error(`Node.js ${nodeVersion} is too old`, `Install Node.js ${needed} or newer`);
}

/** Only a store in a file needs the library. */
async function checkSqlite({ configuration }: Facts): Promise<Finding> {
  try {
    const { name, version } = await loadSqliteDriver();
    return ok(`SQLite ${version} in ${name}`);
  } catch (cause) {
    if (!(cause instanceof AppError)) throw cause;
    const isNeeded = configuration instanceof AppError || usesSqlite(configuration.config);
    return { state: isNeeded ? 'error' : 'warning', detail: cause.message, fix: 'npm install better-sqlite3' };
  }
}

function usesSqlite({ database, own_database }: ConfiguredFacts['configuration']['config']): boolean {
  return [database, own_database].some((url) => url?.startsWith('sqlite:') === true);
}

async function checkConfiguration({ configuration, configFile, env }: Facts): Promise<Finding | Finding[]> {
  if (!(configuration instanceof AppError)) {
    const misspelt = misspeltVariables(env);
    if (misspelt.length > 0) return misspelt;
    return ok(configFile === null ? 'no hcd.toml: environment and defaults' : configFile);
  }
  const fix = 'hcd config show prints every value with its source';
  const problems = Object.entries(configuration.details.fields ?? {}).flatMap(([name, texts]) =>
    texts.map((text) => error(`${name} ${text}`, fix)),
  );
  return problems.length === 0 ? error(configuration.message, fix) : problems;
}

/** A misspelt variable has no effect; others may start with HCD_ for reasons of their own. */
function misspeltVariables(env: Environment): Finding[] {
  const known = [...configNames, ...settingKeys].map(variableOf);
  return Object.keys(env)
    .filter((name) => name.startsWith('HCD_') && !known.includes(name))
    .flatMap((name) => {
      const near = nearMatch(
        name.slice('HCD_'.length),
        known.map((variable) => variable.slice('HCD_'.length)),
      );
      return near === undefined
        ? []
        : [warning(`the variable ${name} is not known and has no effect`, `Name it HCD_${near}, or unset it`)];
    });
}

/** A password in a file that others may read is not secret. */
async function checkFile({ configFile, configuration }: ConfiguredFacts): Promise<Finding> {
  if (configFile === null) return ok('no configuration file');
  const { sources, config } = configuration;
  const urls = [
    ...(sources.database === 'file' ? [config.database] : []),
    ...(sources.own_database === 'file' ? [config.own_database ?? ''] : []),
    ...(sources.database_read_urls === 'file' ? config.database_read_urls : []),
    ...(sources.redis === 'file' ? [config.redis ?? ''] : []),
  ];
  const hasPassword = urls.some((url) => /^[a-z]+:\/\/[^:/?#@]*:[^@]+@/i.test(url));
  const hasSecret = hasPassword || (sources.secret === 'file' && config.secret !== null);
  const mode = (statSync(configFile).mode & 0o777).toString(8).padStart(3, '0');
  const isOpen = /[4-7].?$/.test(mode.slice(1));
  if (hasSecret && isOpen) {
    return warning(
      `${configFile} holds a password or secret and others may read it (mode ${mode})`,
      `chmod 600 ${configFile}`,
    );
  }
  return ok(`${configFile}, mode ${mode}, ${hasSecret ? 'holds' : 'without'} a password or secret`);
}

/** The limit of this command: that of a service is in its log at the start. */
async function checkOpenFiles({ configuration: { config } }: ConfiguredFacts): Promise<Finding> {
  const { max_connections: configured, database_read_urls: replicas } = config;
  const room = roomForConnections(replicas.length);
  if (room === null || room.connections >= configured) return ok(`enough for ${configured} connections`);
  return warning(
    `the limit of open files is ${room.limit}: a server with it keeps ${Math.max(0, room.connections)} connections instead of ${configured}`,
    'LimitNOFILE=65536 in the unit of the server, ulimit -n 65536 in a terminal, or a lower HCD_MAX_CONNECTIONS',
  );
}

const placeNames = {
  memory: 'memory of each process',
  workers: 'first process, for all its workers',
} as const;

async function checkRedis({ configuration: { config }, clock }: ConfiguredFacts): Promise<Finding> {
  const place = counterPlace(config);
  if (typeof place === 'string') {
    const unused =
      config.redis === null ? '' : `; rate_limit_store is ${place}, so HCD_REDIS_URL is used for revocations only`;
    return ok(`requests are counted in the ${placeNames[place]}${unused}`);
  }
  const address = parseRedisUrl(place.redisUrl);
  const shown = maskDatabaseUrl(place.redisUrl);
  if (address === undefined) return error(`${shown} is not a Redis address`, 'Correct HCD_REDIS_URL');
  try {
    (await openRedisLink({ address, prefix: place.prefix, clock })).close();
    return ok(`requests are counted in Redis at ${shown}`);
  } catch (cause) {
    if (cause instanceof AppError) return error(cause.message, 'npm install @redis/client@6');
    if (!(cause instanceof RedisFailure)) throw cause;
    return error(
      `${shown}: ${describeFailure(cause)}; ${effectOf(cause)}`,
      'Start Redis, or correct HCD_REDIS_URL; unset it to count in memory',
    );
  }
}

function effectOf(failure: RedisFailure): string {
  const meanwhile = 'meanwhile each process counts alone, or answers 503 (setting gateway_rate_limit_without_counter)';
  return isLasting(failure) ? 'hcd serve does not start' : meanwhile;
}

export const fileChecks: readonly Check[] = [
  { name: 'integrity', needs: 'store', run: (facts) => forEachFile(facts, checkIntegrity) },
  { name: 'file-permissions', needs: 'store', run: (facts) => forEachFile(facts, checkPermissions) },
  { name: 'file-system', needs: 'store', run: (facts) => forEachFile(facts, checkFileSystem) },
  { name: 'disk-space', needs: 'store', run: (facts) => forEachFile(facts, checkSpace) },
];

interface EmbeddedFile {
  readonly path: string;
  readonly database: Database;
}

async function forEachFile(
  facts: StoreFacts,
  check: (file: EmbeddedFile) => Promise<Finding>,
): Promise<Finding | Finding[]> {
  const files = embeddedFiles(facts);
  if (files.length === 0) return ok('the database is on a server: not visible from here');
  return Promise.all(files.map(check));
}

function embeddedFiles({ store, configuration: { config } }: StoreFacts): EmbeddedFile[] {
  const urls = [
    { url: config.database, database: store.content },
    ...(store.own === store.content ? [] : [{ url: config.own_database ?? '', database: store.own }]),
  ];
  return urls.flatMap(({ url, database }) => {
    const address = parseDatabaseUrl(url);
    return address.dialect === 'sqlite' ? [{ path: address.path, database }] : [];
  });
}

async function checkIntegrity({ path, database }: EmbeddedFile): Promise<Finding> {
  const problems = await quickCheck(database);
  return problems.length === 0
    ? ok(`${path} is sound`)
    : error(`${path} is damaged: ${sample(problems, 3)}`, 'Stop hcd and restore a backup');
}

/** Some damage is reported row by row, some ends the check itself. */
async function quickCheck(database: Database): Promise<string[]> {
  try {
    const rows = await database.primary.select({ sql: 'PRAGMA quick_check', params: [], heavy: true });
    return rows.map(([text]) => String(text)).filter((text) => text !== 'ok');
  } catch (cause) {
    if (classifyFailure(cause) !== 'not_a_database') throw cause;
    return ['its pages contradict one another'];
  }
}

/** The file holds digests of keys and, in the settings, the banner key. */
async function checkPermissions({ path }: EmbeddedFile): Promise<Finding> {
  const mode = statSync(path).mode & 0o777;
  const text = `${path} has mode ${mode.toString(8)}`;
  return (mode & 0o077) === 0
    ? ok(text)
    : warning(`${text}: other users of this machine may open it`, `chmod 600 ${path}`);
}

/** Magic numbers of Linux for file systems whose locks other machines do not see. */
const networkTypes: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xfe534d42, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0x01021997, '9p'],
  [0x5346414f, 'AFS'],
  [0x00c36400, 'Ceph'],
  [0x47504653, 'GPFS'],
]);

async function checkFileSystem({ path }: EmbeddedFile): Promise<Finding> {
  const { type } = await statfs(dirname(path));
  const network = networkTypes.get(type);
  return network === undefined
    ? ok('no network file system')
    : error(
        `${path} is on a network file system (${network}): the write-ahead log needs memory that all processes share, and the file can be damaged`,
        'Keep the file on a local disk, or use MariaDB',
      );
}

const megabyte = 2 ** 20;

async function checkSpace({ path }: EmbeddedFile): Promise<Finding> {
  const { bavail, bsize } = await statfs(dirname(path));
  return spaceFinding(Math.floor((bavail * bsize) / megabyte), Math.ceil(statSync(path).size / megabyte));
}

/** Both in megabytes. */
export function spaceFinding(free: number, needed: number): Finding {
  const text = `${free} MB free; the database file has ${needed} MB`;
  const fix = 'Free space on the disk';
  if (free < 64) return error(text, fix);
  // During a long read the log can grow to the size of the file.
  return free < Math.max(512, needed) ? warning(text, fix) : ok(text);
}
