/** Payload in the Next.js app that its documentation describes for production, with its REST interface only. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pinTo } from '../find-program.js';
import { freePort } from '../mariadb-server.js';
import { startServerProcess } from '../processes.js';
import { installPeer } from './install.js';
import { allPages } from './pages.js';
import { payloadFiles } from './payload-project.js';
import { type Dialect, type Page, type Place, pagesAt, type RunningPeer } from './peer.js';
import { makeProject, runStep } from './project.js';

const key = '6f1d2c3b-4a59-4e68-8b77-9c0d1e2f3a4b';
const settings = { NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' };

export async function startPayload(place: Place): Promise<RunningPeer> {
  const { rows, say, database } = place;
  if (database !== 'sqlite') throw new Error('Payload has no adapter for MariaDB');
  const installed = await installPeer('payload', place.folder, say);
  const folder = join(installed.folder, database);
  await makeProject(folder, payloadFiles(folder, installed.folder));
  await writeFile(join(folder, 'pages.json'), JSON.stringify([...allPages(rows)].map(toEntry)));
  say(`payload on ${database}: writing ${rows} pages and building the app`);
  // Only outside production are the tables made from the configuration.
  const making = { ...settings, NODE_ENV: 'development' };
  await runStep({ command: [installed.node, 'setup.js', key], folder, env: making });
  const next = [installed.node, join(installed.folder, 'node_modules/next/dist/bin/next')];
  await runStep({ command: [...next, 'build'], folder, env: settings });
  const port = await freePort();
  const server = await startServerProcess({
    // It logs to standard output.
    command: ['sh', '-c', 'exec "$@" >&2', 'sh', ...pinTo(0), ...next, 'start', '-H', '127.0.0.1', '-p', String(port)],
    ...{ env: settings, cwd: folder, logFile: join(folder, 'server.log'), ready: /Ready in/ },
  });
  const target = { name: 'Payload', version: installed.version, server, port, dialect, isCached: false };
  return { targets: [target], stop: () => server.stop() };
}

function toEntry({ order, date, ...page }: Omit<Page, 'id'>): Record<string, unknown> {
  return { ...page, menuOrder: order, date: new Date(date * 1000).toISOString() };
}

const headers = { authorization: `users API-Key ${key}` };
const fields = ['title', 'uri', 'parent', 'menuOrder', 'published', 'content', 'date'];
const form = `depth=0&${fields.map((name) => `select[${name}]=true`).join('&')}`;
/** Without a count of all pages. */
const few = `pagination=false&limit=20&${form}`;
const get = (query: string) => ({ method: 'GET', path: `/api/pages${query}` }) as const;
const encode = encodeURIComponent;

const dialect: Dialect = {
  list: (parent) => get(`?where[parent][equals]=${parent}&sort=menuOrder&${few}`),
  read: (id) => get(`/${id}?${form}`),
  address: (uri) => get(`?where[uri][equals]=${encode(uri)}&${few}`),
  search(words) {
    const contains = (name: string, at: number) => `where[or][${at}][${name}][contains]=${encode(words)}`;
    return get(`?${['title', 'content'].map(contains).join('&')}&${few}`);
  },
  create: (page) => ({
    ...{ method: 'POST', path: `/api/pages?${form}`, headers },
    body: JSON.stringify(toEntry(page)),
  }),
  update: (id, title) => ({
    ...{ method: 'PATCH', path: `/api/pages/${id}?${form}`, headers },
    body: JSON.stringify({ title }),
  }),
  pages(body) {
    const answer = body as Record<string, unknown>;
    const name = ['docs', 'doc'].find((held) => held in answer);
    return name === undefined ? pagesAt('page', 'title')({ page: body }) : pagesAt(name, 'title')(body);
  },
};
