/**
 * The dependency rules as data, and the functions that name every edge or use that breaks them. A new folder or
 * package needs a row here, which makes adding one a visible decision.
 */
import { type Import, type SourceFile, stem } from './source-file.js';

/** What may be of use everywhere. */
const basics = ['errors', 'clock', 'crypto', 'log', 'config'];
const storage = ['store/base', 'store/open', 'store/state'];

/** Plain functions of plain values, for everyone. */
const everywhere = ['values'];

/**
 * Which folders of `src` each of them may import, from the ground up: a row names only folders of rows above it, so
 * that no two folders can need each other. Its own folder is always allowed; ` (types)` allows only type imports.
 */
// biome-ignore format: one row for each folder
export const folders: Readonly<Record<string, readonly string[]>> = {
  // Ground: it knows nothing of what is served.
  errors: [],
  values: [],
  clock: [],
  crypto: ['errors'],
  log: ['errors', 'clock'],
  traces: [],
  config: ['errors', 'values'],
  access: ['errors'],
  // Files and pictures of a site, on disk.
  files: ['errors', 'clock', 'crypto', 'config (types)'],
  'store/base': ['errors', 'clock', 'config'],
  'store/sqlite': ['errors', 'clock', 'config (types)', 'store/base'],
  'store/mariadb': ['errors', 'clock', 'config (types)', 'store/base'],
  'store/open': ['errors', 'config', 'store/base', 'store/sqlite', 'store/mariadb'],
  'store/state': ['crypto', 'store/base', 'store/open'],
  'store/migrations': ['errors', 'store/base', 'store/mariadb', 'store/open', 'store/state'],
  'store/models': ['values', 'store/base', 'store/state'],
  memory: ['clock', 'store/base', 'access (types)'],
  'http/interface': [...basics, 'access', 'traces (types)'],
  'http/answers': ['errors', 'crypto', 'http/interface (types)'],
  'http/connections': [...basics, 'http/interface (types)', 'http/answers'],
  'http/stages': ['errors', 'clock', 'log (types)', 'access (types)', 'http/interface', 'http/answers', 'http/connections'],
  'http/server': ['errors', 'clock', 'config', 'http/interface', 'http/answers', 'http/connections', 'http/stages'],
  // Deliveries: a queue in the database, the worker that empties it, the one HTTP client. They do not know content.
  'webhooks/models': [...storage, 'store/models'],
  'webhooks/addresses': ['config', 'webhooks/models (types)'],
  'webhooks/client': ['clock', 'webhooks/addresses'],
  'webhooks/rules': [...basics, ...storage, 'webhooks/models', 'webhooks/client (types)'],
  'webhooks/queue': ['crypto', ...storage, 'store/models', 'webhooks/models', 'webhooks/rules'],
  'webhooks/worker': [
    ...basics, 'store/base', 'webhooks/models', 'webhooks/addresses (types)', 'webhooks/client (types)', 'webhooks/rules',
    'webhooks/queue',
  ],
  // Subscriptions and deliveries as people manage them.
  'webhooks/administration': [
    ...basics, ...storage, 'store/models', 'webhooks/models', 'webhooks/addresses', 'webhooks/rules', 'webhooks/queue',
  ],
  // Content of the CMS: its rules and objects, how it is asked for, kept and changed.
  'content/models': ['errors', 'clock', 'crypto', ...storage, 'store/models', 'access (types)'],
  'content/rules': ['crypto', 'files'],
  'content/objects': [...basics, ...storage, 'store/models (types)', 'content/models'],
  'content/query': ['errors', 'access', 'store/base (types)', 'content/models (types)', 'content/rules', 'content/objects'],
  // Texts are compared as the connections to SQLite compare them.
  'content/reading': [
    'errors', 'clock (types)', 'store/base', 'store/sqlite/fold', 'content/models', 'content/rules', 'content/objects',
    'content/query', 'files',
  ],
  'content/settings': ['errors', 'config', 'store/open', 'content/models', 'content/rules'],
  'content/live': [
    ...basics, ...storage, 'store/sqlite/fold', 'access', 'memory', 'content/models', 'content/rules', 'content/objects',
    'content/query', 'content/reading', 'webhooks/rules (types)',
  ],
  // An event is queued in the transaction of its change.
  'content/mutations': [
    'errors', 'config', 'files', ...storage, 'webhooks/queue', 'webhooks/rules (types)', 'content/models', 'content/rules (types)', 'content/objects',
    'content/query', 'content/reading', 'content/live',
  ],
  // The index of words beside the resources.
  'content/indexing': [
    'clock', 'crypto', 'log', ...storage, 'store/models', 'content/models', 'content/rules', 'content/objects',
    'content/reading', 'content/live', 'content/mutations', 'webhooks/rules (types)', 'webhooks/queue',
  ],
  'content/resources': [
    'errors', 'log', ...storage, 'store/models', 'access', 'content/models', 'content/rules', 'content/objects',
    'content/query', 'content/reading', 'content/live', 'content/mutations',
  ],
  'content/records': [
    'errors', 'store/base', 'store/models', 'content/models', 'content/objects', 'content/query', 'content/reading', 'content/live',
    'content/mutations', 'content/resources',
  ],
  'content/elements': [
    'errors', 'store/base', 'store/models', 'content/models', 'content/rules', 'content/objects', 'content/query', 'content/reading',
    'content/live', 'content/mutations', 'content/resources', 'webhooks/rules (types)',
  ],
  'content/administration': [
    'errors', 'crypto', 'config', 'store/base', 'store/open', 'store/state', 'content/models', 'content/objects', 'content/query',
    'content/reading', 'content/live', 'content/mutations', 'content/indexing', 'content/resources', 'content/records',
    'content/elements', 'content/rules', 'webhooks/rules',
  ],
  // Who calls: one family of credentials, and limits for guesses and requests.
  'identity/credentials': [...basics, ...storage, 'store/models', 'access (types)', 'memory'],
  'identity/models': [...storage, 'store/models', 'content/models', 'identity/credentials'],
  'identity/limits': [...basics, ...storage, 'access (types)', 'memory', 'identity/models'],
  'identity/users': [
    ...basics, ...storage, 'store/models', 'access', 'memory', 'content/models', 'content/objects',
    'identity/models', 'identity/limits', 'identity/credentials',
  ],
  'identity/keys': [
    ...basics, ...storage, 'access (types)', 'memory', 'content/objects', 'identity/models',
    'identity/users', 'identity/credentials',
  ],
  'identity/oauth': [
    ...basics, 'store/base', 'store/open', 'access (types)', 'memory', 'content/objects', 'identity/models',
    'identity/limits', 'identity/users', 'identity/credentials',
  ],
  'identity/sessions': [
    ...basics, ...storage, 'access (types)', 'memory', 'content/models', 'content/rules', 'content/live',
    'identity/models', 'identity/users', 'identity/credentials',
  ],
  'identity/previews': [
    'clock', 'errors', 'crypto', ...storage, 'store/models', 'access (types)', 'memory', 'identity/models', 'identity/users',
    'identity/credentials', 'identity/sessions', 'content/live (types)',
  ],
  'identity/page-tokens': [...basics, ...storage, 'access (types)', 'memory', 'content/models', 'identity/credentials'],
  // Interface A.
  'gateway/models': [...storage, 'store/models'],
  'gateway/audit': [...basics, ...storage, 'store/models', 'access (types)', 'gateway/models'],
  'gateway/http': [
    'errors', 'files', 'clock (types)', 'config', 'access', 'http/interface', 'http/answers', 'http/stages/checks',
    'content/objects', 'content/query', 'content/reading', 'content/live', 'content/mutations', 'identity/limits', 'identity/users (types)',
    'identity/oauth', 'identity/previews (types)', 'identity/sessions', 'gateway/audit (types)', 'gateway/models',
    'crypto', 'store/base (types)', 'traces (types)',
  ],
  'gateway/openapi': ['errors', 'http/interface', 'content/rules', 'content/objects', 'content/query', 'gateway/http'],
  'gateway/endpoints': [
    'errors', 'files', 'config (types)', 'access', 'http/interface', 'http/answers', 'http/stages/checks', 'content/objects',
    'content/rules', 'content/query', 'content/reading', 'content/live', 'content/mutations', 'content/records', 'content/resources',
    'identity/users (types)', 'identity/oauth', 'identity/previews', 'identity/sessions (types)', 'gateway/http',
    'gateway/openapi',
  ],
  // Interface B.
  'pages/rules': ['errors'],
  'pages/models': [...storage, 'store/models'],
  'pages/authoring': [
    ...basics, ...storage, 'store/models', 'webhooks/queue', 'webhooks/rules', 'content/models', 'content/live',
    'pages/models', 'pages/rules',
  ],
  'pages/delivery': [
    ...basics, ...storage, 'access', 'memory', 'content/objects', 'content/query', 'content/reading',
    'content/live', 'store/models (types)', 'pages/models', 'pages/rules', 'pages/authoring',
  ],
  'pages/http': [
    'errors', 'config', 'access', 'http/interface', 'identity/limits', 'identity/previews (types)', 'pages/delivery',
  ],
  'pages/endpoints': [
    'errors', 'config', 'access', 'http/interface', 'http/stages/checks', 'identity/limits (types)', 'identity/page-tokens',
    'identity/previews (types)', 'pages/delivery (types)', 'pages/http',
  ],
  // Interface C.
  'banners/rules': ['errors', 'content/objects'],
  'banners/models': [...storage, 'store/models', 'content/objects', 'banners/rules'],
  'banners/management': [
    ...basics, ...storage, 'store/models', 'content/models', 'content/rules', 'content/objects', 'content/live',
    'banners/rules', 'banners/models',
  ],
  'banners/statistics': [...basics, ...storage, 'content/live (types)', 'banners/rules', 'banners/models'],
  // Messages about clicks are deliveries.
  'banners/tracking': [
    ...basics, ...storage, 'store/models', 'webhooks/queue', 'content/models', 'content/rules', 'content/settings',
    'content/live',
    'banners/rules', 'banners/models', 'banners/management', 'banners/statistics',
  ],
  'banners/http': [
    'errors', 'crypto', 'config', 'access', 'http/interface', 'identity/limits', 'banners/rules', 'banners/management (types)',
  ],
  'banners/endpoints': [
    'errors', 'config', 'access', 'store/base (types)', 'http/interface', 'http/stages/checks',
    'identity/limits (types)',
    'banners/rules', 'banners/management', 'banners/statistics', 'banners/tracking (types)', 'banners/http',
  ],
  // The root of the server, and what looks after the whole of it.
  start: ['http/interface', 'http/answers', 'http/stages/checks'],
  'operations/copy-tables': [...storage, 'store/mariadb'],
  'operations/models': ['errors', ...storage, 'store/models'],
  'operations/copy': [...basics, ...storage, 'store/migrations', 'operations/models', 'operations/copy-tables'],
  'operations/backup': [
    ...basics, ...storage, 'store/sqlite', 'store/migrations', 'operations/models', 'operations/copy-tables',
    'operations/copy',
  ],
  // What servers and workers write about themselves, and what is read of it.
  'operations/processes': [
    ...basics, ...storage, 'store/models', 'webhooks/models', 'webhooks/queue', 'content/settings', 'identity/keys',
    'identity/page-tokens', 'operations/models',
  ],
  // The whole store is compared with the rules of every domain.
  'operations/check': [
    ...basics, ...storage, 'store/migrations', 'store/models', 'content/models', 'content/rules', 'content/live',
    'content/resources', 'content/settings', 'identity/models', 'webhooks/models', 'webhooks/queue',
    'webhooks/administration', 'pages/models', 'pages/authoring', 'banners/models', 'banners/statistics', 'operations/models',
  ],
  // Files of content are read, checked and written by the rules of what they hold.
  'operations/transfer': [
    'errors', 'crypto', 'config', 'store/base', 'store/models', 'store/state', 'store/open (types)',
    'content/models', 'content/rules', 'content/objects', 'content/query', 'content/reading', 'content/resources', 'content/elements',
    'content/live (types)', 'content/mutations', 'pages/models', 'pages/rules', 'pages/authoring', 'banners/rules', 'banners/models',
    'banners/management', 'operations/copy-tables', 'files',
  ],
  'operations/doctor': [
    ...basics, ...storage, 'store/sqlite', 'store/migrations', 'webhooks/models', 'webhooks/rules', 'webhooks/worker',
    'content/models',
    'content/rules', 'content/objects', 'content/reading', 'content/settings', 'identity/limits', 'identity/keys', 'identity/oauth',
    'identity/page-tokens', 'webhooks/administration', 'pages/models', 'pages/authoring', 'banners/rules', 'banners/models',
    'banners/statistics', 'operations/models', 'operations/backup', 'operations/processes',
    'operations/transfer',
  ],
  // Declarations for clients: what a site has, in the words of TypeScript.
  'operations/site-types': [
    'access', 'store/base (types)', 'content/models', 'content/rules', 'content/objects', 'content/query', 'content/reading',
    'content/live', 'pages/rules', 'pages/authoring',
  ],
  'operations/settings': [
    ...basics, ...storage, 'content/models', 'content/settings', 'identity/page-tokens', 'webhooks/administration',
  ],
  'operations/sample': [
    'crypto', 'config', ...storage, 'content/models', 'content/objects', 'content/settings', 'identity/models',
    'identity/users', 'identity/keys', 'identity/page-tokens', 'pages/authoring (types)',
    'banners/rules', 'banners/models', 'banners/statistics', 'banners/tracking', 'operations/transfer',
    'operations/settings',
  ],
  // Health and metrics for operators.
  'operations/admin': ['errors', 'clock', 'log (types)', 'store/base (types)', 'store/migrations', 'webhooks/queue (types)'],
  'operations/upkeep': [
    'log', 'config', 'store/base', 'store/open (types)', 'webhooks/worker (types)', 'content/models',
    'content/mutations (types)', 'content/resources', 'content/indexing', 'identity/models', 'identity/oauth', 'gateway/models', 'gateway/audit', 'pages/authoring', 'pages/delivery',
    'banners/management', 'banners/statistics', 'banners/tracking',
  ],
};

/** What every command may import. It reaches storage through the use cases of a domain, never through its rows. */
const forCommands = [
  ...['errors', 'log', 'config', 'clock (types)', 'store/open', 'store/migrations', 'store/base/limits'],
  ...['content/administration', 'content/live', 'content/objects', 'content/settings', 'identity/keys'],
  ...['identity/limits', 'identity/oauth', 'identity/page-tokens', 'identity/previews', 'identity/users'],
  'webhooks/administration',
  // Filters on the command line are written as in addresses.
  ...['gateway/http/query', 'content/query/plan-filter', 'gateway/audit', 'http/server'],
  ...['operations/copy', 'operations/check', 'operations/backup', 'operations/doctor'],
  ...['operations/processes', 'operations/sample', 'operations/settings'],
  ...['operations/site-types', 'operations/transfer'],
];
/** The flags of a banner are its fields; files and periods are read by the rules of the banners. */
const ofBanners = ['banners/rules', 'banners/management', 'banners/statistics', 'banners/tracking'];
/** Documents and section types are printed, and their problems and differences put into words. */
const ofPages = ['pages/rules', 'pages/authoring', 'pages/delivery'];
const everything = Object.keys(folders);

/** Which folders of `src` the commands may import; the longest key that fits a file counts. */
const commands: Readonly<Record<string, readonly string[]>> = {
  commands: forCommands,
  'commands/banner': [...forCommands, ...ofBanners],
  'commands/redirect': [...forCommands, 'content/rules'],
  // The flags of an element are its fields.
  'commands/element': [...forCommands, 'content/elements', 'content/rules'],
  'commands/position': [...forCommands, ...ofBanners],
  'commands/preset': [...forCommands, ...ofBanners],
  // The changes of files are announced.
  'commands/media': [...forCommands, 'files', 'content/mutations'],
  'commands/page': [...forCommands, ...ofPages],
  // A preview is of the draft that there is now.
  'commands/preview': [...forCommands, 'pages/models'],
  'commands/section-type': [...forCommands, ...ofPages],
  // The addresses that it prints are those of the interfaces.
  'commands/demo': [...forCommands, 'pages/endpoints', 'banners/endpoints'],
  'commands/explain': [...forCommands, 'gateway/http/envelope'],
  'commands/host': [...forCommands, 'clock'],
  // Says what happened to a database that a command has lost.
  'commands/main': [...forCommands, 'store/base/errors'],
  // A test of a receiver is sent at once; the local receiver verifies and sends on.
  'commands/webhook': [
    ...forCommands,
    'clock',
    'webhooks/addresses',
    'webhooks/client',
    'webhooks/rules',
    'webhooks/worker',
  ],
  // An assistant is served by the gateway in its process, and by services that it has no route for.
  'commands/mcp': [
    ...[...forCommands, ...ofPages, 'access', 'crypto', 'banners/statistics', 'banners/rules'],
    ...['gateway/http/envelope', 'gateway/openapi', 'pages/http/schemas', 'banners/endpoints/statistics'],
    ...['http/interface', 'content/query/authorize'],
  ],
  // An HTTP server of its own, whose refusals have the statuses of the interfaces; it shows pictures.
  'commands/studio': [...forCommands, 'crypto', 'files', 'http/interface'],
  // The places that join all parts: stages of the HTTP server and jobs of the worker get their storage here.
  'commands/serve': everything,
  'commands/worker': everything,
  migrations: ['store/migrations (types)'],
};

const inSource = (folder: string): string => `src/${folder}`;

/**
 * Who may import what of ours. Keys are paths without extension, the longest that fits a file counts. Values: a folder
 * or file; ` (types)` allows only type imports.
 */
export const allowedImports: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    Object.entries(folders).map(([name, own]) => [inSource(name), [...everywhere, ...own].map(inSource)]),
  ),
  ...Object.fromEntries(
    Object.entries(commands).map(([name, own]) => [name, ['commands', ...[...everywhere, ...own].map(inSource)]]),
  ),
  // Rows tell whether a store is whole, and hold its settings.
  'commands/open-store': [
    ...['commands', 'migrations', 'src/content/models', 'src/operations/models'],
    ...forCommands.map(inSource),
  ],
  'commands/serve': ['commands', 'migrations', 'src'],
  bin: ['commands'],
  bench: ['src', 'commands', 'migrations'],
  binary: ['commands', 'migrations'],
};

/** Packages (and modules of Node that are kept in one place) and the only files that may import them. */
export const allowedPackages: Readonly<Record<string, readonly string[]>> = {
  // The domains take operators and expressions from it; connections and models of Sequelize stay in the store.
  sequelize: ['store', 'content', 'identity', 'webhooks', 'gateway', 'pages', 'banners', 'operations'].map(inSource),
  mariadb: ['src/store', 'src/operations/copy-tables'],
  'better-sqlite3': ['src/store'],
  koa: ['src/http', 'commands/studio'],
  '@koa/router': ['src/http', 'commands/studio'],
  'koa-body': ['src/http', 'commands/studio'],
  formidable: ['src/http/stages/read-upload'],
  'mime-types': ['src/files'],
  'file-type': ['src/files'],
  // Loaded only where pictures are asked for in other sizes.
  sharp: ['src/files'],
  'ipaddr.js': ['src/http', 'src/webhooks', 'src/config', 'src/banners/rules/visitor'],
  'smol-toml': ['src/config', 'commands'],
  commander: ['commands'],
  '@modelcontextprotocol/sdk': ['commands/mcp'],
  'cli-table3': ['commands'],
  chalk: ['commands/paint'],
  inquirer: ['commands/prompt'],
  // Loaded only where Redis is configured.
  // Loaded only where an admin port is configured.
  'prom-client': ['src/operations/admin/metrics'],
  '@opentelemetry/api': ['src/traces/traces'],
  '@redis/client': ['src/identity/limits/redis-link'],
  // One template engine and one HTML parser, each behind one file of ours.
  liquidjs: ['src/pages/rules/template-engine', 'src/pages/rules/template-filters'],
  parse5: ['src/pages/rules/html-fragment'],
  // Loaded only where aliases are made ASCII.
  'any-ascii': ['src/content/rules/alias'],
  isbot: ['src/banners/rules/visitor'],
  luxon: ['src/banners/rules/local-time', 'src/content/rules/tag-filters', 'src/content/rules/tv-values'],
  'csv-parse': ['commands/banner', 'commands/redirect'],
  yaml: ['src/operations/transfer/folder-file'],
  '@node-rs/argon2': ['src/crypto/password'],
  '@node-rs/bcrypt': ['src/crypto/password'],
  'node:crypto': ['src/crypto'],
  // What goes out of the machine goes through one client, so that one policy holds for all of it.
  'node:dns': ['src/webhooks/client'],
  'node:dns/promises': ['src/webhooks/client'],
  'node:tls': ['src/webhooks/client'],
  'node:http2': [],
  'node:timers': ['src/clock'],
  'node:timers/promises': ['src/clock'],
  'node:console': [],
};

/** Globals and members, and the only files that may use them. */
export const allowedUses: Readonly<Record<string, readonly string[]>> = {
  'process.env': ['src/config/load', 'commands/host'],
  // Output that its reader does not take keeps a process alive.
  'process.exit': ['commands/host'],
  'Date.now': ['src/clock'],
  'new Date()': ['src/clock'],
  'performance.now': ['src/clock'],
  'process.hrtime': ['src/clock'],
  setTimeout: ['src/clock'],
  setInterval: ['src/clock'],
  'AbortSignal.timeout': ['src/clock'],
  console: ['commands/host', 'src/log'],
  crypto: ['src/crypto'],
  // Spreads retries, where a guess does no harm; nothing else may be guessable.
  'Math.random': ['src/store/base/transaction'],
  // Wrong in Node.js 20 and 22 once it is optimized: `src/values/text.ts`.
  'URL.canParse': [],
  // A person who asks a server with `hcd api` names it.
  fetch: ['src/webhooks/client', 'commands/api', 'commands/mcp'],
  'http.request': ['src/webhooks/client'],
  'http.get': ['src/webhooks/client'],
  'https.request': ['src/webhooks/client'],
  'https.get': ['src/webhooks/client'],
};

/** Names that may be imported from a module of Node only in these files. */
const allowedNames: Readonly<Record<string, readonly string[]>> = {
  'node:http request': ['src/webhooks/client'],
  'node:http get': ['src/webhooks/client'],
  'node:https request': ['src/webhooks/client'],
  'node:https get': ['src/webhooks/client'],
  'node:process env': ['src/config/load', 'commands/host'],
  'node:process exit': [],
  'sequelize Sequelize': ['src/store', 'bench'],
  'sequelize Model': ['src/store'],
  'sequelize DataTypes': ['src/store'],
  'sequelize Transaction': ['src/store'],
};

/** Each import of ours that no row allows, as `file:line imports target`. */
export function findForbiddenImports(file: SourceFile): string[] {
  const own = file.imports.filter((one) => one.own);
  const row = longestKey(file.path);
  if (row === undefined) return [`${file.path} lies in a folder without a row in the table of allowed imports`];
  const allowed = [...(allowedImports[row] ?? []), row];
  return own.filter((one) => !allowed.some((pattern) => allows(pattern, one))).map((one) => edge(file, one));
}

/** Each import of a package outside its place, or of one that the table does not know. */
export function findForbiddenPackages(file: SourceFile): string[] {
  return file.imports.filter((one) => !one.own && !isPackageAllowed(file, one)).map((one) => edge(file, one));
}

/** Each use of a global outside its place. */
export function findForbiddenUses(file: SourceFile): string[] {
  if (isUnder(file.path, 'bench')) return [];
  return file.uses.flatMap(({ name, line }) => {
    const rule = Object.keys(allowedUses).find((one) => name === one || name.startsWith(`${one}.`));
    if (rule === undefined || (allowedUses[rule] ?? []).some((place) => isUnder(file.path, place))) return [];
    return [`${file.path}:${line} uses ${name}`];
  });
}

/** Each folder that a row names without a row of its own above it, as `row: folder`. */
export function findUpwardRows(rows: Readonly<Record<string, readonly string[]>>): string[] {
  const names = Object.keys(rows);
  return names.flatMap((name, at) => {
    const above = names.slice(0, at);
    const named = (rows[name] ?? []).map((one) => one.replace(' (types)', ''));
    return named.filter((one) => !above.some((row) => isUnder(one, row))).map((one) => `${name}: ${one}`);
  });
}

/** Each file of the source in a folder that has folders: a reader should find one kind of thing in a place. */
export function findLooseFiles(files: readonly SourceFile[]): string[] {
  const inSource = files.map(({ path }) => path).filter((path) => path.startsWith('src/'));
  const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/'));
  const all = new Set(inSource.map(folderOf));
  const outer = [...all].filter((folder) => [...all].some((other) => other.startsWith(`${folder}/`)));
  return inSource.filter((path) => outer.includes(folderOf(path)));
}

/**
 * Each exported value of the source and the commands that neither a file that imports it nor a test mentions, as
 * `file:line exports name`.
 */
export function findUnusedExports(files: readonly SourceFile[], tests: readonly string[]): string[] {
  const importers = new Map<string, Set<string>>();
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  for (const { imports, text } of files) {
    for (const { target } of imports) importers.set(target, (importers.get(target) ?? new Set()).add(text));
  }
  const isUsed = (path: string, name: string): boolean => {
    // Commands are loaded by their names, and each model is compared with its table.
    if (new RegExp(`export const ${name} = (?:define\\w+\\(|\\{\\n +\\S+: define\\w+\\()`).test(texts.get(path) ?? ''))
      return true;
    const word = new RegExp(`\\b${name}\\b`);
    const module = `/${stem(path)}.js'`;
    const mentions = (text: string): boolean => word.test(text);
    return (
      [...(importers.get(path) ?? [])].some(mentions) || tests.some((one) => one.includes(module) && mentions(one))
    );
  };
  const ours = files.filter(({ path }) => isUnder(path, 'src') || isUnder(path, 'commands'));
  return ours.flatMap(({ path, exports }) =>
    exports.filter(({ name }) => !isUsed(path, name)).map(({ name, line }) => `${path}:${line} exports ${name}`),
  );
}

/** One cycle of imports among the files, as the paths on it, first one repeated at the end; undefined if none. */
export function findCycle(files: readonly SourceFile[]): string[] | undefined {
  const edges = new Map(files.map((file) => [file.path, file.imports.filter((one) => one.own)]));
  const done = new Set<string>();

  const visit = (path: string, trail: readonly string[]): string[] | undefined => {
    if (trail.includes(path)) return [...trail.slice(trail.indexOf(path)), path];
    if (done.has(path)) return undefined;
    for (const { target } of edges.get(path) ?? []) {
      const cycle = visit(target, [...trail, path]);
      if (cycle) return cycle;
    }
    done.add(path);
    return undefined;
  };

  for (const path of edges.keys()) {
    const cycle = visit(path, []);
    if (cycle) return cycle;
  }
  return undefined;
}

function isPackageAllowed(file: SourceFile, one: Import): boolean {
  // Neither is part of the package.
  if (isUnder(file.path, 'bench') || isUnder(file.path, 'binary')) return true;
  if (one.names.some((name) => !isListed(allowedNames[`${one.target} ${name}`], file.path, true))) return false;
  const isNode = one.target.startsWith('node:');
  return isListed(allowedPackages[isNode ? one.target : packageOf(one.target)], file.path, isNode);
}

function isListed(places: readonly string[] | undefined, path: string, whenUnknown: boolean): boolean {
  return places === undefined ? whenUnknown : places.some((place) => isUnder(path, place));
}

function longestKey(path: string): string | undefined {
  return Object.keys(allowedImports)
    .filter((key) => isUnder(path, key))
    .sort((a, b) => b.length - a.length)[0];
}

function allows(pattern: string, one: Import): boolean {
  const typesOnly = pattern.endsWith(' (types)');
  if (typesOnly && !one.typeOnly) return false;
  return isUnder(one.target, pattern.replace(' (types)', ''));
}

/** Whether the path is the named file, or lies in the named folder; `*` stands for one segment. */
function isUnder(path: string, place: string): boolean {
  const segments = path.replace(/\.ts$/, '').split('/');
  return place.split('/').every((wanted, at) => wanted === '*' || wanted === segments[at]);
}

function edge(file: SourceFile, one: Import): string {
  return `${file.path}:${one.line} imports ${one.target}${one.typeOnly ? ' (types)' : ''}`;
}

/** The package of a module, such as `@scope/name` of `@scope/name/part.js`. */
function packageOf(target: string): string {
  return target.split('/', target.startsWith('@') ? 2 : 1).join('/');
}
