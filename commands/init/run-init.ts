/** What `hcd init` does once its questions are answered: prepares the database and writes the file. */
import { dirname, resolve } from 'node:path';
import { maskDatabaseUrl, resolveDatabaseUrl } from '../../src/config/database-url.js';
import { configDefinitions } from '../../src/config/definitions.js';
import { readVariable } from '../../src/config/environment.js';
import { loadConfig } from '../../src/config/load.js';
import { readRuntimeSettings } from '../../src/services/load-sample/runtime-settings.js';
import { type Switched, switchApis } from '../../src/services/load-sample/switch-apis.js';
import { maintenanceLimits } from '../../src/store/limits.js';
import { migrateUp } from '../../src/store/migrate.js';
import type { OpenStoreOptions, Store } from '../../src/store/open.js';
import { curlLines, curlText, serverOrigin } from '../demo/curl-lines.js';
import { loadDemo } from '../demo/load-demo.js';
import type { Deps } from '../deps.js';
import { migrationRun } from '../migrate/migration-run.js';
import type { Result } from '../result.js';
import type { ApiName } from '../serve/api-names.js';
import { askHost, askPort, chooseApis, chooseDemo } from './ask-values.js';
import { chooseDatabase } from './choose-database.js';
import { checkWritable, writeConfigFile } from './config-file.js';

export interface InitOptions {
  readonly contentPrefix: string | undefined;
  readonly apis: readonly ApiName[] | undefined;
  readonly host: string | undefined;
  readonly port: number | undefined;
  readonly demo: boolean;
  readonly force: boolean;
}

/** Asks, prepares the database, writes the file. */
export async function runInit(options: InitOptions, deps: Deps): Promise<Result> {
  const path = resolve(deps.cwd, deps.flags.config ?? 'hcd.toml');
  await checkWritable(path, options);
  // An existing file is about to be replaced: it may be broken.
  const { config } = loadConfig({ flags: {}, env: deps.env, file: null, cwd: deps.cwd });
  const database = await chooseDatabase(deps, {
    url: deps.flags.database ?? readVariable(deps.env, configDefinitions.database.env),
    prefix: options.contentPrefix ?? deps.env[configDefinitions.content_prefix.env],
    defaultUrl: configDefinitions.database.default,
    defaultPrefix: config.content_prefix,
  });
  const withDemo = await chooseDemo(deps, { wanted: options.demo, database });
  const apis = options.apis ?? (await chooseApis(deps, withDemo));
  const host = options.host ?? (await askHost(deps, config.host));
  const port = options.port ?? (await askPort(deps, config.port));

  const target = { databaseUrl: resolveDatabaseUrl(database.url, deps.cwd), prefix: database.prefix };
  const prepared = await prepare(deps, { target, apis, withDemo });
  await writeConfigFile(path, {
    // A relative path in the file counts from its folder.
    database: dirname(path) === deps.cwd ? database.url : target.databaseUrl,
    content_prefix: database.prefix,
    host,
    port,
  });
  const { store, switched } = prepared;
  const { values } = await readRuntimeSettings(store, deps.env);
  const lines = withDemo
    ? curlLines({ config: { host, port }, prefix: values.gateway_api_prefix, bannersKey: switched.bannersKey, apis })
    : [];
  const inFile = deps.flags.config === undefined ? '' : ` --config ${deps.flags.config}`;
  return {
    kind: 'text',
    text: [
      `Wrote ${path}\n`,
      switched.bannersKey === null ? '' : `banners_api_key: ${switched.bannersKey}\n`,
      `\nNext:\n  hcd doctor${inFile}  # look for problems\n  hcd serve${inFile}   # ${serverOrigin({ host, port })}\n`,
      lines.length === 0 ? '' : `\nThen try:\n${curlText(lines)}`,
    ].join(''),
    data: {
      file: path,
      database: maskDatabaseUrl(database.url),
      kind: store.kind,
      content_prefix: database.prefix,
      apis: [...apis],
      host,
      port,
      demo: withDemo,
      banners_api_key: switched.bannersKey,
    },
    notes: [
      ...(switched.bannersKey === null
        ? []
        : ['The banner key is shown now; later: hcd setting get banners_api_key --show-secret']),
      ...switched.locked.map((key) => `${key} keeps the value that the environment fixes (HCD_${key.toUpperCase()}).`),
    ],
  };
}

interface Preparation {
  readonly target: OpenStoreOptions;
  readonly apis: readonly ApiName[];
  readonly withDemo: boolean;
}

interface Prepared {
  readonly store: Store;
  readonly switched: Switched;
}

/** Everything in the database comes before the file: an attempt that failed can be repeated. */
async function prepare(deps: Deps, { target, apis, withDemo }: Preparation): Promise<Prepared> {
  if (withDemo) {
    const { store, loaded } = await loadDemo(deps, { target, apis });
    return { store, switched: loaded ?? (await switchIn(deps, { store, apis })) };
  }
  const before = await deps.openStore({ ...target, limits: maintenanceLimits });
  await migrateUp(migrationRun(before));
  await before.close();
  const store = await deps.openStore({ ...target, limits: maintenanceLimits });
  return { store, switched: await switchIn(deps, { store, apis }) };
}

function switchIn(
  { env }: Deps,
  { store, apis }: { readonly store: Store; readonly apis: readonly ApiName[] },
): Promise<Switched> {
  return store.content.write((tx) => switchApis(tx, { prefix: store.prefix, env, apis }));
}
