/** Opens the configured store for a command that works with its records. */

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { migrations } from '../migrations/list.js';
import type { Clock } from '../src/clock/clock.js';
import type { Config, Environment } from '../src/config/definitions.js';
import type { LoadedConfig } from '../src/config/load.js';
import type { SettingsOf } from '../src/config/settings.js';
import type { ApiName } from '../src/config/value-type.js';
import type { Registry } from '../src/content/objects/definition.js';
import { AppError } from '../src/errors/app-error.js';
import { codeOf } from '../src/errors/disk-error.js';
import type { Log } from '../src/log/observation.js';
import { checkCopyFinished } from '../src/operations/models/copy-progress.js';
import { checkMigrated, isEmptyEmbedded, type MigrationRun, migrateUp } from '../src/store/migrations/migrate.js';
import type { OpenStoreOptions, Store } from '../src/store/open/open.js';
import { programVersion } from './host.js';

export { migrations };

interface Opener {
  readonly cwd: string;
  readonly log: Log;
  readonly clock: Clock;
  loadConfig(): LoadedConfig;
  openStore(target: OpenStoreOptions): Promise<Store>;
}

export function storeOptions(config: Config): OpenStoreOptions {
  return {
    databaseUrl: config.database,
    ...(config.own_database === null ? {} : { ownDatabaseUrl: config.own_database }),
    readUrls: config.database_read_urls,
    prefix: config.content_prefix,
    repairEncoding: config.repair_encoding === 'on',
  };
}

/** A missing file is not created. Throws database_not_ready, database_unreachable. Default limits: of requests. */
export async function openReady(deps: Opener, how: Pick<OpenStoreOptions, 'limits'> = {}): Promise<Store> {
  const { config } = deps.loadConfig();
  return ready(deps, { store: await openExisting(deps, { ...storeOptions(config), ...how }), config });
}

/** For a server: an empty embedded store is made and migrated first. */
export async function openMigrated(deps: Opener, config: Config): Promise<Store> {
  const open = () => deps.openStore(storeOptions(config));
  const store = await open();
  if (!(await isEmptyEmbedded(migrationRun(store)))) return ready(deps, { store, config });
  const onStep = (name: string) => deps.log({ kind: 'migration_applied', name });
  return ready(deps, { store: await makeStore(store, { open, onStep }), config });
}

/** With all migrations. In a store of our own that is new, values of template variables are held to their rules. */
export async function makeStore(
  store: Store,
  { open, onStep }: { readonly open: () => Promise<Store>; readonly onStep?: (name: string) => void },
): Promise<Store> {
  const applied = await migrateUp({ ...migrationRun(store), onStep: ({ name }) => onStep?.(name) });
  if (applied.some((name) => name.includes('-content-'))) {
    const { setSystemSetting } = await import('../src/content/models/settings.js');
    const strict = { key: 'gateway_tv_validation', value: 'strict', kind: 'text' } as const;
    await store.content.write((tx) => setSystemSetting(tx, store.prefix, strict));
  }
  // The columns that were read at opening are out of date, also where another process was faster.
  await store.close();
  return open();
}

async function ready(
  deps: Opener,
  { store, config }: { readonly store: Store; readonly config: Config },
): Promise<Store> {
  await checkMigrated(migrationRun(store));
  await checkCopyFinished(store);
  if (config.redis === null) return store;
  const { newsPlace, publishNews } = await import('../src/identity/limits/redis-news.js');
  const place = newsPlace(config);
  if (place !== null) publishNews(store, { ...place, clock: deps.clock });
  return store;
}

/** A command that only reads must not create an empty database. Throws database_not_ready without the file. */
export async function openExisting(
  deps: Pick<Opener, 'openStore' | 'loadConfig'>,
  target: OpenStoreOptions,
): Promise<Store> {
  try {
    return await deps.openStore({ ...target, create: false });
  } catch (error) {
    if (!isMissingFile(error, target)) throw error;
    const { file, sources } = deps.loadConfig();
    const isElsewhere = file === null && sources.database === 'default';
    const here = isElsewhere ? 'There is no hcd.toml here: change to the folder of the site, or run hcd init. ' : '';
    throw new AppError('database_not_ready', {
      message: `${here}There is no database at ${target.databaseUrl} yet. Run: hcd migrate`,
      cause: error,
    });
  }
}

function isMissingFile(error: unknown, { databaseUrl }: OpenStoreOptions): boolean {
  if (!databaseUrl.startsWith('sqlite:') || !(error instanceof AppError)) return false;
  return error.code === 'database_unreachable' && codeOf(error.cause) === 'ENOENT';
}

export function migrationRun(store: Store): MigrationRun {
  const { content, own, prefix } = store;
  // Missing content tables will be ours.
  const kind = store.kind === 'attached' ? 'attached' : 'own';
  return { content, own, prefix, kind, migrations, version: programVersion };
}

export async function openSiteRegistry(
  { objects_dir, plugins, cwd }: Pick<Config, 'objects_dir' | 'plugins'> & Pick<Opener, 'cwd'>,
  store: Store,
): Promise<Registry> {
  const folder = resolve(cwd, objects_dir);
  // Most sites define no objects, and most commands need none.
  if (plugins.length === 0 && !existsSync(folder)) {
    return (await import('../src/content/objects/core-objects.js')).buildRegistry();
  }
  const { openRegistry } = await import('../src/content/objects/object-registry.js');
  return openRegistry(store, { folder, plugins });
}

export async function siteSettings<A extends ApiName>(
  { content, prefix }: Store,
  { env, apis }: { readonly env: Environment; readonly apis: readonly A[] },
): Promise<SettingsOf<A>> {
  const { readSystemSettings } = await import('../src/content/models/settings.js');
  const { addressSettings, effectiveSettings, settingDefinition, settingKeys } = await import(
    '../src/config/settings.js'
  );
  const keys = settingKeys.filter((key) => apis.some((api) => settingDefinition(key).api === api));
  return effectiveSettings(await readSystemSettings(content.primary, prefix, [...keys, ...addressSettings]), env)
    .values;
}
