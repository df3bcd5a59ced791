/**
 * The dependency rules as data, and the functions that name every edge or use that breaks them. A new folder or
 * package needs a row here, which makes adding one a visible decision.
 */
import type { Import, SourceFile } from './source-file.js';

const forCommands = [
  'commands',
  'src/apis/*/api',
  // Filters on the command line are written as in addresses.
  'src/apis/gateway/query',
  'src/http/server',
  'src/http/listening-address',
  'src/services',
  'src/outbox/worker',
  'src/store/open',
  'src/store/migrate',
  'src/store/limits',
  'src/store/is-empty-embedded',
  'src/config',
  'src/log',
  'src/errors',
  'src/clock (types)',
];

/**
 * Who may import what of ours. Keys are paths without extension, the longest that fits a file counts; its own folder
 * is always allowed. Values: a folder or file, `*` for one path segment; ` (types)` allows only type imports.
 */
export const allowedImports: Readonly<Record<string, readonly string[]>> = {
  'src/errors': [],
  'src/clock': [],
  'src/crypto': ['src/errors'],
  'src/log': ['src/clock'],
  'src/config': ['src/errors'],
  // Times of content have one form at every border.
  'src/objects': ['src/errors', 'src/content/dates'],
  'src/access': ['src/objects', 'src/errors'],
  // Planning is authorizing: conditions and field lists of the policy become part of the plan.
  'src/query': ['src/objects', 'src/access', 'src/errors'],
  'src/store': ['src/config', 'src/errors', 'src/log', 'src/clock', 'src/access (types)'],
  'src/content': ['src/errors', 'src/clock', 'src/crypto'],
  'src/pages': ['src/objects', 'src/errors', 'src/clock', 'src/crypto'],
  // Their times have the forms of every other time on the wire.
  'src/banners': ['src/objects', 'src/errors', 'src/clock', 'src/crypto', 'src/content/dates'],
  // Files of content are read, checked and written by the rules of what they hold.
  'src/operations/transfer': [
    'src/store',
    'src/objects',
    'src/content',
    'src/pages',
    'src/banners',
    'src/services/pages',
    'src/services/banners',
    'src/services/resources/check-values',
    'src/errors',
  ],
  'src/outbox': ['src/store', 'src/crypto', 'src/clock', 'src/log', 'src/config', 'src/errors'],
  'src/services': [
    'src/store',
    'src/query',
    'src/objects',
    'src/access',
    'src/content',
    'src/pages',
    'src/banners',
    'src/operations/transfer',
    'src/outbox/enqueue',
    'src/outbox/events',
    // Commands manage subscriptions and deliveries: what is acceptable, what is cancelled, what is removed.
    'src/outbox/receiver-url',
    'src/outbox/outbound-policy',
    'src/outbox/own-places',
    'src/outbox/cancel-open',
    'src/outbox/retention',
    'src/outbox/deciding-time',
    'src/crypto',
    'src/clock',
    'src/config',
    'src/log (types)',
    'src/errors',
  ],
  'src/http': ['src/access (types)', 'src/config (types)', 'src/log', 'src/clock', 'src/errors'],
  ...apiRow('gateway'),
  ...apiRow('pages'),
  ...apiRow('start'),
  // Fields, periods and rotations are tables of the rules: bodies and parameters are read and documented by them.
  ...apiRow('banners', 'src/banners'),
  commands: forCommands,
  // The flags of a resource are its fields.
  'commands/resource': [...forCommands, 'src/objects/resources'],
  // Documents and section types are printed, and their problems and differences put into words.
  'commands/page': [...forCommands, 'src/pages'],
  'commands/section-type': [...forCommands, 'src/pages'],
  // The flags of a banner are its fields; files and periods are read by the rules of the banners.
  'commands/banner': [...forCommands, 'src/banners'],
  'commands/position': [...forCommands, 'src/banners (types)'],
  'commands/preset': [...forCommands, 'src/banners/banner', 'src/banners (types)'],
  'commands/deps': [...forCommands, 'src/clock'],
  'commands/migrate': [...forCommands, 'migrations'],
  // The one place that joins all parts: stages of the HTTP server get their storage from here.
  'commands/serve': ['src', 'commands', 'migrations'],
  // Likewise for the outbox and the work beside it.
  'commands/worker': ['src', 'commands'],
  // A test of a receiver is sent at once; the local receiver verifies and sends on.
  'commands/webhook': [...forCommands, 'src/outbox'],
  migrations: ['src (types)'],
  bin: ['commands'],
  bench: ['src', 'commands', 'migrations'],
};

function apiRow(name: string, ...more: readonly string[]): Record<string, readonly string[]> {
  const allowed = ['http', 'services', 'query', 'access', 'objects', 'errors', 'config (types)'];
  return { [`src/apis/${name}`]: [...allowed.map((folder) => `src/${folder}`), ...more] };
}

/** Packages (and modules of Node that are kept in one place) and the only files that may import them. */
export const allowedPackages: Readonly<Record<string, readonly string[]>> = {
  sequelize: ['src/store', 'src/query/compile'],
  mariadb: ['src/store'],
  'better-sqlite3': ['src/store'],
  umzug: ['src/store'],
  koa: ['src/http'],
  '@koa/router': ['src/http'],
  'koa-body': ['src/http'],
  'ipaddr.js': ['src/http', 'src/outbox', 'src/config', 'src/banners/visitor', 'src/banners/truncate-address'],
  'smol-toml': ['src/config', 'commands'],
  commander: ['commands'],
  'cli-table3': ['commands'],
  chalk: ['commands/io'],
  inquirer: ['commands/prompt'],
  // Loaded only where Redis is configured.
  '@redis/client': ['src/services/rate-limit/redis-link'],
  // One template engine and one HTML parser, each behind one file of ours.
  liquidjs: ['src/pages/template-engine', 'src/pages/template-filters'],
  parse5: ['src/pages/html-fragment'],
  // Loaded only where aliases are made ASCII.
  'any-ascii': ['src/content/transliterate'],
  isbot: ['src/banners/bot'],
  luxon: ['src/banners/local-time'],
  'csv-parse': ['commands/banner'],
  '@node-rs/argon2': ['src/crypto/password'],
  '@node-rs/bcrypt': ['src/crypto/password'],
  'node:crypto': ['src/crypto'],
  // What goes out of the machine goes through one client, so that one policy holds for all of it.
  'node:dns': ['src/outbox/outbound'],
  'node:dns/promises': ['src/outbox/outbound'],
  'node:tls': ['src/outbox/outbound'],
  'node:http2': [],
  'node:timers': ['src/clock'],
  'node:timers/promises': ['src/clock'],
  'node:console': [],
};

/** Globals and members, and the only files that may use them. */
export const allowedUses: Readonly<Record<string, readonly string[]>> = {
  'process.env': ['src/config/load', 'commands/deps'],
  'process.exit': [],
  'Date.now': ['src/clock'],
  'new Date()': ['src/clock'],
  'performance.now': ['src/clock'],
  'process.hrtime': ['src/clock'],
  setTimeout: ['src/clock'],
  setInterval: ['src/clock'],
  'AbortSignal.timeout': ['src/clock'],
  console: ['commands/io', 'src/log'],
  crypto: ['src/crypto'],
  // Spreads retries, where a guess does no harm; nothing else may be guessable.
  'Math.random': ['src/store/jitter'],
  fetch: ['src/outbox/outbound'],
  'http.request': ['src/outbox/outbound'],
  'http.get': ['src/outbox/outbound'],
  'https.request': ['src/outbox/outbound'],
  'https.get': ['src/outbox/outbound'],
};

/** Names that may be imported from a module of Node only in these files. */
const allowedNames: Readonly<Record<string, readonly string[]>> = {
  'node:http request': ['src/outbox/outbound'],
  'node:http get': ['src/outbox/outbound'],
  'node:https request': ['src/outbox/outbound'],
  'node:https get': ['src/outbox/outbound'],
  'node:process env': ['src/config/load', 'commands/deps'],
  'node:process exit': [],
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
  if (isUnder(file.path, 'bench')) return true;
  if (one.names.some((name) => !isListed(allowedNames[`${one.target} ${name}`], file.path, true))) return false;
  return isListed(allowedPackages[one.target], file.path, one.target.startsWith('node:'));
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
