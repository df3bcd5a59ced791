/** `hcd init`: guided set-up of a database and the configuration file. */
import { constants, existsSync, readFileSync } from 'node:fs';
import { access } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { parse, stringify } from 'smol-toml';
import {
  databaseUrlValue,
  listeningAddress,
  maskDatabaseUrl,
  publicUrlValue,
  resolveDatabaseUrl,
} from '../src/config/address-values.js';
import { type Config, configDefinitions, readVariable, variableOf } from '../src/config/definitions.js';
import { loadConfig } from '../src/config/load.js';
import { type ApiName, apiNames, choiceValue, listValue } from '../src/config/value-type.js';
import { AppError } from '../src/errors/app-error.js';
import { type IssuedKey, issueKey } from '../src/identity/keys/manage-keys.js';
import { starters } from '../src/operations/sample/sample-files.js';
import { type Switched, switchApis } from '../src/operations/settings/switch-apis.js';
import { maintenanceLimits } from '../src/store/base/limits.js';
import type { OpenStoreOptions, Store } from '../src/store/open/open.js';
import { newRootSecret } from '../src/webhooks/administration/secrets.js';
import { defineCommand } from './command.js';
import { scopeSuggestions, scopesValue } from './credentials.js';
import { curlLines, curlText, firstLines, referenceUrl } from './demo/curl-lines.js';
import { credentialMembers, credentialText, loadDemo } from './demo/load-demo.js';
import type { Deps } from './deps.js';
import { chooseApis, chooseDemo, chooseKeyScopes, chooseSiteUrl } from './init/ask-values.js';
import { chooseDatabase } from './init/choose-database.js';
import { checkStarter, chooseStarter, loadStarter } from './init/starter.js';
import { issuedRecord } from './key.js';
import { makeStore, openSiteRegistry, siteSettings } from './open-store.js';
import { replaceText } from './output-file.js';
import { optional, toggle } from './parameters.js';
import { askValue } from './prompt.js';
import { joinParts } from './terminal-text.js';

interface Preparation {
  readonly target: OpenStoreOptions;
  readonly apis: readonly ApiName[];
  readonly withDemo: boolean;
  readonly place: Pick<Config, 'host' | 'port' | 'files_dir'>;
  readonly siteUrl: string | undefined;
}

export const command = defineCommand({
  description:
    'Asks which database to use, tests the connection and shows what it found. Then asks which APIs to turn on, whether to create a first API key, and where to listen. Applies the migrations (on the database of an existing MODX site only tables with the prefix hcd_ are created), stores the settings and writes hcd.toml, readable only by its owner, with a new root secret unless HCD_SECRET is set or the database has one. Every question has a flag; --yes uses the defaults.\n\nThe API key is shown only once. No key is created when the gateway is off, when there are keys already, or with --without-key. The sample site comes with its own key and user (hcd demo --help).',
  options: {
    contentPrefix: optional(configDefinitions.content_prefix.type, 'Prefix of the content tables (default: detected)', {
      placeholder: 'PREFIX',
    }),
    ownDatabase: optional(databaseUrlValue, 'Database for the hcd_ tables (default: the content database)', {
      placeholder: 'URL',
    }),
    apis: optional(
      listValue(choiceValue(apiNames), { min: 1 }),
      'APIs to turn on; turns the others off (default: gateway, or all with --demo)',
    ),
    siteUrl: optional(
      publicUrlValue,
      'Address of the site for its visitors, the base of absolute addresses in content',
      { placeholder: 'URL' },
    ),
    host: optional(configDefinitions.host.type, 'Address to listen on'),
    port: optional(configDefinitions.port.type, 'Port to listen on', { placeholder: 'PORT' }),
    keyScopes: optional(scopesValue, 'Scopes of the first API key (default: resources.read)', {
      suggestions: scopeSuggestions,
    }),
    withoutKey: toggle('Do not create an API key'),
    demo: toggle('Load the sample site'),
    starter: optional(choiceValue(starters), 'Begin with a small site, whose files go next to hcd.toml'),
    force: toggle('Replace an existing hcd.toml'),
  },
  examples: {
    init: 'Answer the questions',
    'init --yes --database mariadb://hcd:secret@db.example/site --apis gateway,pages':
      'Set up on a server without prompts',
    'init --starter blog': 'Begin with a small site as files',
    'init --yes --key-scopes resources.read,preview --json': 'Set up with a preview key and print the result as JSON',
  },
  async run(options, deps) {
    const path = resolve(deps.cwd, deps.flags.config ?? 'hcd.toml');
    await checkWritable(path, options);
    const folder = dirname(path);
    checkStarter({ starter: options.starter, withDemo: options.demo, folder });
    // An existing file may be broken, and is about to be replaced.
    const { config } = loadConfig({ flags: {}, env: deps.env, file: null, cwd: deps.cwd });
    const ownUrl =
      options.ownDatabase === undefined ? config.own_database : resolveDatabaseUrl(options.ownDatabase, deps.cwd);
    const database = await chooseDatabase(deps, {
      ownUrl,
      url: deps.flags.database ?? readVariable(deps.env, variableOf('database')),
      prefix: options.contentPrefix ?? deps.env[variableOf('content_prefix')],
      defaultUrl: configDefinitions.database.default,
      defaultPrefix: config.content_prefix,
    });
    const withDemo = await chooseDemo(deps, { wanted: options.demo, database });
    const starter = await chooseStarter(deps, { starter: options.starter, withDemo, database, folder });
    const apis = options.apis ?? (await chooseApis(deps, withDemo));
    const siteUrl = await chooseSiteUrl(deps, { given: options.siteUrl, database });
    const keyScopes = await chooseKeyScopes(deps, {
      scopes: options.keyScopes,
      without: options.withoutKey,
      withDemo,
      isWanted: apis.includes('gateway') && !database.hasKeys,
    });
    const listening = { message: 'Address to listen on', flag: '--host', type: configDefinitions.host.type };
    const host = options.host ?? (await askValue(deps.prompt, { ...listening, value: config.host }));
    const taken = { message: 'Port to listen on', flag: '--port', type: configDefinitions.port.type };
    const port = options.port ?? (await askValue(deps.prompt, { ...taken, value: config.port }));

    const target = {
      databaseUrl: resolveDatabaseUrl(database.url, deps.cwd),
      ...(ownUrl === null ? {} : { ownDatabaseUrl: ownUrl }),
      prefix: database.prefix,
    };
    const files = filesFolder(deps, path);
    const place = { host, port, files_dir: files };
    const { store, switched, credentials, pageToken } = await prepare(deps, { target, apis, withDemo, place, siteUrl });
    if (starter !== null) await loadStarter(deps, { store, starter, folder, files });
    const key = keyScopes === null ? null : await issueFirstKey(deps, { store, config, scopes: keyScopes });
    const kept = keptSecret(path);
    const made = config.secret === null && kept === null ? await newRootSecret(store) : null;
    const secret = kept ?? made;
    const text = configText({
      // A relative path in the file counts from its folder.
      database: dirname(path) === deps.cwd ? database.url : target.databaseUrl,
      ...(options.ownDatabase === undefined ? {} : { own_database: ownUrl }),
      content_prefix: database.prefix,
      host,
      port,
      ...(secret === null ? {} : { secret }),
    });
    await replaceText(path, text, 0o600);
    const { gateway_api_prefix: prefix } = await siteSettings(store, { env: deps.env, apis: ['gateway'] });
    const origin = listeningAddress({ host, port });
    const shown = { bannersKey: switched.bannersKey, credentials, pageToken };
    const lines = withDemo ? curlLines({ originOf: () => origin, prefix, shown, apis }) : [];
    const isKeyless = apis.includes('gateway') && key === null && credentials === null && !database.hasKeys;
    const isEmpty = store.kind === 'own' && starter === null && !withDemo && (database.found?.resources ?? 0) === 0;
    const inFile = deps.flags.config === undefined ? '' : ` --config ${deps.flags.config}`;
    return {
      kind: 'text',
      text: joinParts([
        `Wrote ${path}\n`,
        made !== null && '# It contains a new root secret: keep a copy, because backups do not contain it.\n',
        starter !== null &&
          `# The site ${starter}: change its files, then hcd import${inFile} ${folder === deps.cwd ? '.' : folder}\n`,
        key !== null && `# API key with the scopes ${key.scopes.join(', ')}\nkey: ${key.key}\n`,
        credentialText(shown),
        `\nNext:\n  hcd doctor${inFile}  # find problems\n  hcd serve${inFile}   # ${origin}\n`,
        isEmpty && `  hcd element create template NAME${inFile}  # begin the content\n`,
        isKeyless && `  hcd key create${inFile}  # create an API key\n`,
        apis.includes('gateway') && `Then open: ${referenceUrl(origin, prefix)}  # API reference\n`,
        key !== null && `  curl -H 'Authorization: Bearer ${key.key}' '${origin}${prefix}/v1/resources?limit=3'\n`,
        lines.length > 0 && `\nRequests to try (all: hcd demo${inFile} --show):\n${curlText(firstLines(lines))}`,
      ]),
      data: {
        ...{ file: path, database: maskDatabaseUrl(database.url) },
        own_database: ownUrl === null ? null : maskDatabaseUrl(ownUrl),
        ...{ kind: store.kind, content_prefix: database.prefix, apis: [...apis], host, port, demo: withDemo, starter },
        ...credentialMembers(shown),
        ...(key === null ? {} : { key: issuedRecord(key) }),
      },
      notes: [
        store.kind === 'attached' && 'Guides: docs/modx.md works next to the CMS, docs/leave-modx.md leaves it.',
        switched.bannersKey !== null && 'To show the banner key again: hcd setting get banners_api_key --show-secret',
        key !== null && 'Copy the key now: it is not shown again.',
        key?.scopes.includes('*') === true && 'The scope * grants everything, including deleting.',
        credentials !== null && 'Copy the API key and the password now: they are not shown again.',
        pageToken !== null && 'Copy the page token now: it is not shown again.',
        ...switched.locked.map((name) => `${name} keeps the value of ${variableOf(name)} in the environment.`),
      ],
    };
  },
});

/** As a server finds it that is started with the file. */
function filesFolder({ env, cwd }: Deps, configFile: string): string {
  const given = readVariable(env, variableOf('files_dir'));
  return given === undefined ? resolve(dirname(configFile), configDefinitions.files_dir.default) : resolve(cwd, given);
}

/** Before the file is written, so that the command can be repeated after an unknown scope. */
async function issueFirstKey(
  deps: Deps,
  { store, config, scopes }: { readonly store: Store; readonly config: Config; readonly scopes: readonly string[] },
): Promise<IssuedKey> {
  return issueKey(store, {
    registry: await openSiteRegistry({ ...config, cwd: deps.cwd }, store),
    scopes,
    name: 'first key',
    expiresOn: null,
    username: null,
    rateLimit: { max: null, windowSeconds: null },
    createdBy: 'command',
    now: deps.clock.now(),
  });
}

/** Before the file is written, so that a failed attempt can be repeated. */
async function prepare(deps: Deps, { target, apis, withDemo, place, siteUrl }: Preparation) {
  if (withDemo) {
    const { store, loaded, credentials, pageToken } = await loadDemo(deps, { target, apis, place });
    const switched = loaded === null || siteUrl !== undefined ? await switchIn(deps, { store, apis, siteUrl }) : loaded;
    return { store, switched: loaded ?? switched, credentials, pageToken };
  }
  const open = () => deps.openStore({ ...target, limits: maintenanceLimits });
  const store = await makeStore(await open(), { open });
  return { store, switched: await switchIn(deps, { store, apis, siteUrl }), credentials: null, pageToken: null };
}

function switchIn(
  { env }: Deps,
  { store, ...wanted }: { readonly store: Store } & Pick<Preparation, 'apis' | 'siteUrl'>,
): Promise<Switched> {
  return store.content.write((tx) => switchApis(tx, { prefix: store.prefix, env, ...wanted }));
}

/** Throws refused before anything is asked or changed. */
async function checkWritable(path: string, { force }: { readonly force: boolean }): Promise<void> {
  if (existsSync(path) && !force) {
    throw new AppError('refused', { message: `${path} already exists. Replace it with --force` });
  }
  try {
    await access(dirname(path), constants.W_OK);
  } catch (cause) {
    throw new AppError('refused', {
      message: `${path} cannot be written: its folder is missing or not writable`,
      cause,
    });
  }
}

/** Stored secrets cannot be opened without the secret of the replaced file. */
function keptSecret(path: string): string | null {
  if (!existsSync(path)) return null;
  try {
    const { secret } = parse(readFileSync(path, 'utf8'));
    return typeof secret === 'string' ? secret : null;
  } catch {
    // A file that cannot be read is replaced as a whole.
    return null;
  }
}

function configText(values: Partial<Config>): string {
  const entries = Object.entries(configDefinitions).flatMap(([name, { description }]) => {
    const value = new Map<string, unknown>(Object.entries(values)).get(name);
    return value === undefined ? [] : [`# ${description}\n${stringify({ [name]: value }).trimEnd()}\n`];
  });
  const head =
    '# Configuration of hcd. "hcd help environment" lists all names. Environment variables override this file.\n';
  return [head, ...entries].join('\n');
}
