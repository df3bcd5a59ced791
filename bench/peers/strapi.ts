/** Strapi as its documentation describes it for production, without the admin panel. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pinTo } from '../find-program.js';
import { freePort } from '../mariadb-server.js';
import { startServerProcess } from '../processes.js';
import { makeAccount } from './database.js';
import { installPeer } from './install.js';
import { allPages } from './pages.js';
import { type Dialect, type Page, type Place, pagesAt, type RunningPeer } from './peer.js';
import { makeProject, runStep } from './project.js';
import { strapiFiles } from './strapi-project.js';

const settings = {
  NODE_ENV: 'production',
  STRAPI_TELEMETRY_DISABLED: 'true',
  STRAPI_DISABLE_UPDATE_NOTIFICATION: 'true',
};

export async function startStrapi(place: Place): Promise<RunningPeer> {
  const { rows, say, database } = place;
  const installed = await installPeer('strapi', place.folder, say);
  const folder = join(installed.folder, database);
  await makeProject(folder, strapiFiles(await connectionOf(place)));
  await writeFile(join(folder, 'pages.json'), JSON.stringify([...allPages(rows)].map(toEntry)));
  say(`strapi on ${database}: making its tables and writing ${rows} pages`);
  await runStep({ command: [installed.node, 'setup.js'], folder, env: settings });
  const port = await freePort();
  const program = join(installed.folder, 'node_modules/@strapi/strapi/bin/strapi.js');
  const server = await startServerProcess({
    // It logs to standard output.
    command: ['sh', '-c', 'exec "$@" >&2', 'sh', ...pinTo(0), installed.node, program, 'start'],
    env: { ...settings, PORT: String(port) },
    ...{ cwd: folder, logFile: join(folder, 'server.log'), ready: /Strapi started successfully/ },
  });
  const dialect = dialectOf((await readFile(join(folder, 'token'), 'utf8')).trim());
  const target = { name: 'Strapi', version: installed.version, server, port, dialect, isCached: false };
  return { targets: [target], stop: () => server.stop() };
}

async function connectionOf({ database, serverUrl }: Place): Promise<object> {
  if (database === 'sqlite') {
    return { client: 'sqlite', connection: { filename: 'data.db' }, useNullAsDefault: true };
  }
  const { host, port, name } = await makeAccount(serverUrl, 'strapi');
  const connection = { host, port: Number(port), database: name, user: name, password: name };
  return { client: 'mysql', connection, pool: { min: 2, max: 10 } };
}

function toFields({ order, date, ...page }: Omit<Page, 'id'>): Record<string, unknown> {
  return { ...page, menuOrder: order, date: new Date(date * 1000).toISOString() };
}

/** Pages are addressed by a text of 24 characters. */
const documentOf = (id: number) => `page${String(id).padStart(20, '0')}`;

function toEntry({ id, ...page }: Page): Record<string, unknown> {
  const at = new Date(page.date * 1000).toISOString();
  return { id, documentId: documentOf(id), ...toFields(page), createdAt: at, updatedAt: at, publishedAt: at };
}

const fields = 'fields=title,uri,parent,menuOrder,published,content,date';
const few = 'pagination[limit]=20&pagination[withCount]=false';

function dialectOf(token: string): Dialect {
  const headers = { authorization: `Bearer ${token}` };
  const get = (query: string) => ({ method: 'GET', path: `/api/pages${query}` }) as const;
  const sent = (data: unknown) => ({ headers, body: JSON.stringify({ data }) });
  return {
    list: (parent) => get(`?filters[parent][$eq]=${parent}&sort=menuOrder&${few}&${fields}`),
    read: (id) => get(`/${documentOf(id)}?${fields}`),
    address: (uri) => get(`?filters[uri][$eq]=${encodeURIComponent(uri)}&${few}&${fields}`),
    search: (words) => get(`?_q=${encodeURIComponent(words)}&${few}&${fields}`),
    create: (page) => ({ method: 'POST', path: `/api/pages?${fields}`, ...sent(toFields(page)) }),
    update: (id, title) => ({ method: 'PUT', path: `/api/pages/${documentOf(id)}?${fields}`, ...sent({ title }) }),
    pages: pagesAt('data', 'title'),
  };
}
