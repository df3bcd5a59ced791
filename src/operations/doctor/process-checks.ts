/** Checks of this machine: Node.js, the SQLite library, the configuration and its file. */
import { statSync } from 'node:fs';
import { maskDatabaseUrl, parseRedisUrl } from '../../config/address-values.js';
import { configNames, type Environment } from '../../config/definitions.js';
import { definitionOf } from '../../config/load.js';
import { nearMatch } from '../../config/near-match.js';
import { settingKeys, settingVariable } from '../../config/settings.js';
import { AppError } from '../../errors/app-error.js';
import { counterPlace } from '../../identity/limits/open-counter.js';
import { describeFailure, isLasting, openRedisLink, RedisFailure } from '../../identity/limits/redis-link.js';
import { loadSqliteDriver } from '../../store/sqlite/load-driver.js';
import { type Check, type ConfiguredFacts, error, type Facts, type Finding, ok, warning } from './check.js';

/** The same as in package.json. */
const neededNode = { major: 20, minor: 17 };

export const processChecks: readonly Check[] = [
  { name: 'node', needs: 'nothing', run: checkNode },
  { name: 'sqlite-library', needs: 'nothing', run: checkSqlite },
  { name: 'configuration', needs: 'nothing', run: checkConfiguration },
  { name: 'configuration-file', needs: 'configuration', run: checkFile },
  { name: 'redis', needs: 'configuration', run: checkRedis },
];

function checkNode({ nodeVersion }: Facts): Finding {
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

function checkConfiguration({ configuration, configFile, env }: Facts): Finding | Finding[] {
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

/** A variable that only resembles one of ours has no effect; others may start with HCD_ for reasons of their own. */
function misspeltVariables(env: Environment): Finding[] {
  const known = [...configNames.map((name) => definitionOf(name).env), ...settingKeys.map(settingVariable)];
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
function checkFile({ configFile, configuration }: ConfiguredFacts): Finding {
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

async function checkRedis({ configuration: { config }, clock }: ConfiguredFacts): Promise<Finding> {
  const place = counterPlace(config);
  if (typeof place === 'string') {
    const unused =
      config.redis === null ? '' : `; rate_limit_store is ${place}, so HCD_REDIS_URL is used for revocations only`;
    return ok(`requests are counted in the ${place === 'memory' ? 'memory of each process' : 'database'}${unused}`);
  }
  const address = parseRedisUrl(place.redisUrl);
  const shown = maskDatabaseUrl(place.redisUrl);
  if (address === undefined) return error(`${shown} is not a Redis address`, 'Correct HCD_REDIS_URL');
  try {
    (await openRedisLink({ address, prefix: place.prefix, clock })).close();
    return ok(`requests are counted in Redis at ${shown}`);
  } catch (cause) {
    if (!(cause instanceof RedisFailure)) throw cause;
    return error(
      `${shown}: ${describeFailure(cause)}; ${effectOf(cause)}`,
      'Start Redis, or correct HCD_REDIS_URL; unset it to count in memory or in the database',
    );
  }
}

function effectOf(failure: RedisFailure): string {
  return isLasting(failure) ? 'hcd serve does not start' : 'meanwhile requests with credentials are answered 503';
}
