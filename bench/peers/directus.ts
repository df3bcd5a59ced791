/** Directus as its documentation describes it for production, without Data Studio; a second server has its cache on. */
import { execFile } from 'node:child_process';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { pinTo } from '../find-program.js';
import { freePort } from '../mariadb-server.js';
import { type ServerProcess, startServerProcess } from '../processes.js';
import { makeAccount } from './database.js';
import { type Installed, installPeer } from './install.js';
import { allPages } from './pages.js';
import { type Dialect, type Page, type Place, pagesAt, type RunningPeer, type Target } from './peer.js';

const token = 'the-static-token-of-the-bench';
const headers = { authorization: `Bearer ${token}` };
const pagesPerRequest = 100;

export async function startDirectus(place: Place): Promise<RunningPeer> {
  const installed = await installPeer('directus', place.folder, place.say);
  const folder = join(place.folder, `directus-${place.database}`);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const env = { ...settings, ...(await databaseSettings(place, folder)) };
  place.say(`directus on ${place.database}: making its tables`);
  const command = [installed.node, join(installed.folder, 'node_modules/directus/cli.js')];
  await promisify(execFile)(installed.node, [...command.slice(1), 'bootstrap'], {
    ...{ cwd: folder, env: { ...process.env, ...env }, maxBuffer: 64 * 1024 * 1024 },
  });
  const servers: ServerProcess[] = [];
  const start = async (name: string, isCached: boolean) => {
    const target = await startOne({ name, isCached, installed, command, env, folder });
    servers.push(target.server);
    return target;
  };
  const stop = async () => {
    await Promise.all(servers.map((server) => server.stop()));
  };
  try {
    const uncached = await start('Directus', false);
    await makePages(uncached.port, place);
    return { targets: [uncached, await start('Directus, its cache on', true)], stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

const settings = Object.freeze({
  ...{ NODE_ENV: 'production', HOST: '127.0.0.1', LOG_STYLE: 'raw', SECRET: 'the root secret of the bench' },
  ...{ TELEMETRY: 'false', SERVE_APP: 'false', RATE_LIMITER_ENABLED: 'false', PRESSURE_LIMITER_ENABLED: 'false' },
  ...{ ADMIN_EMAIL: 'bench@example.com', ADMIN_PASSWORD: 'a password of the bench', ADMIN_TOKEN: token },
});

async function databaseSettings({ database, serverUrl }: Place, folder: string): Promise<Record<string, string>> {
  if (database === 'sqlite') return { DB_CLIENT: 'sqlite3', DB_FILENAME: join(folder, 'data.db') };
  const { host, port, name } = await makeAccount(serverUrl, 'directus');
  const server = { DB_CLIENT: 'mysql', DB_HOST: host, DB_PORT: port, DB_DATABASE: name };
  return { ...server, DB_USER: name, DB_PASSWORD: name };
}

interface Start {
  readonly name: string;
  readonly isCached: boolean;
  readonly installed: Installed;
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly folder: string;
}

async function startOne({
  name,
  isCached,
  installed,
  command,
  env,
  folder,
}: Start): Promise<Target & { server: ServerProcess }> {
  const port = await freePort();
  const cache = isCached
    ? { CACHE_ENABLED: 'true', CACHE_STORE: 'memory', CACHE_TTL: '1d' }
    : { CACHE_ENABLED: 'false' };
  const server = await startServerProcess({
    // It logs to standard output.
    command: ['sh', '-c', 'exec "$@" >&2', 'sh', ...pinTo(0), ...command, 'start'],
    env: { ...env, ...cache, PORT: String(port) },
    ...{ cwd: folder, logFile: join(folder, isCached ? 'cached.log' : 'uncached.log'), ready: /Server started at/ },
  });
  return { name, version: installed.version, server, port, dialect, isCached };
}

/** The collection with the indexes that its questions need, its pages, and the public right to read them. */
async function makePages(port: number, { rows, say, database }: Place): Promise<void> {
  const send = async (method: string, path: string, body?: unknown) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      ...{ method, headers: { ...headers, 'content-type': 'application/json' } },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text.slice(0, 500)}`);
    return text === '' ? undefined : JSON.parse(text);
  };
  const field = (name: string, type: string, schema: object = {}) => ({ field: name, type, schema, meta: {} });
  await send('POST', '/collections', {
    ...{ collection: 'pages', schema: {}, meta: {} },
    fields: [
      field('id', 'integer', { is_primary_key: true, has_auto_increment: true }),
      ...[field('title', 'string'), field('uri', 'string', { is_unique: true })],
      ...[field('parent', 'integer', { is_indexed: true }), field('menu_order', 'integer')],
      ...[field('published', 'boolean'), field('content', 'text'), field('date', 'timestamp')],
    ],
  });
  const policies: { data: { id: string; name: string }[] } = await send('GET', '/policies');
  const policy = policies.data.find(({ name }) => name === '$t:public_label')?.id;
  const right = { collection: 'pages', action: 'read', fields: ['*'], permissions: {}, validation: {} };
  await send('POST', '/permissions', { policy, ...right });
  say(`directus on ${database}: writing ${rows} pages`);
  const pages = [...allPages(rows)];
  for (let at = 0; at < rows; at += pagesPerRequest) {
    const items = pages.slice(at, at + pagesPerRequest).map(({ id, ...page }) => ({ id, ...toItem(page) }));
    await send('POST', '/items/pages', items);
  }
}

function toItem({ order, date, ...page }: Omit<Page, 'id'>): Record<string, unknown> {
  return { ...page, menu_order: order, date: new Date(date * 1000).toISOString() };
}

const get = (path: string) => ({ method: 'GET', path }) as const;
const encode = encodeURIComponent;

const dialect: Dialect = {
  list: (parent) => get(`/items/pages?filter[parent][_eq]=${parent}&sort=menu_order&limit=20`),
  read: (id) => get(`/items/pages/${id}`),
  address: (uri) => get(`/items/pages?filter[uri][_eq]=${encode(uri)}&limit=1`),
  search: (words) => get(`/items/pages?search=${encode(words)}&limit=20`),
  create: (page) => ({ method: 'POST', path: '/items/pages', headers, body: JSON.stringify(toItem(page)) }),
  update: (id, title) => ({ method: 'PATCH', path: `/items/pages/${id}`, headers, body: JSON.stringify({ title }) }),
  pages: pagesAt('data', 'title'),
};
