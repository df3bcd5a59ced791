/** The program itself on the generated site: a server without and one with its cache, everything else on in both. */
import { execFile } from 'node:child_process';
import { mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { pinTo } from '../find-program.js';
import { provideSite } from '../generate.js';
import { type ServerProcess, startServerProcess } from '../processes.js';
import { basePath, rootSecret } from '../record.js';
import { type Dialect, type Place, pagesAt, type RunningPeer, type Target } from './peer.js';

const program = join(dirname(fileURLToPath(import.meta.url)), '../../../bin/hcd');
const scopes = 'resources.read,resources.create,resources.update';
/** What the peers send too. */
const fields = 'fields=id,pagetitle,uri,parent,menuindex,published,publishedon,content';

export async function startHcd(place: Place): Promise<RunningPeer> {
  const folder = join(place.folder, 'hcd');
  // Earlier runs changed the pages.
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const databaseUrl = await provideSite({ ...place, count: place.rows, folder });
  const env = {
    ...{ HCD_DATABASE_URL: databaseUrl, HCD_SECRET: rootSecret, NODE_ENV: 'production' },
    ...{ HCD_GATEWAY_ALLOWED_CONTEXTS: 'web,docs', HCD_GATEWAY_RATE_LIMIT_MAX_REQUESTS: '1000000000' },
  };
  const run = async (...args: string[]) => {
    const options = { cwd: folder, env: { ...process.env, ...env } };
    return (await promisify(execFile)(process.execPath, [program, ...args], options)).stdout;
  };
  const version = (await run('--version')).trim();
  const made = JSON.parse(await run('key', 'create', '--scopes', scopes, '--name', 'bench', '--json'));
  const servers: ServerProcess[] = [];
  const start = async (name: string, isCached: boolean): Promise<Target> => {
    const server = await startServerProcess({
      command: [...pinTo(0), process.execPath, program, 'serve', 'gateway', '--port', '0'],
      env: { ...env, HCD_GATEWAY_CACHE_ENABLED: isCached ? '1' : '0' },
      ...{ cwd: folder, logFile: join(folder, `${isCached ? 'kept' : 'uncached'}.log`) },
    });
    servers.push(server);
    return { name, version, server, port: server.port, dialect: dialectOf(made.data.key), isCached };
  };
  const stop = async () => {
    await Promise.all(servers.map((server) => server.stop()));
  };
  try {
    return { targets: [await start('hcd', false), await start('hcd, answers from memory', true)], stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function dialectOf(key: string): Dialect {
  const headers = { authorization: `Bearer ${key}` };
  const get = (path: string) => ({ method: 'GET', path: `${basePath}${path}` }) as const;
  return {
    list: (parent) => get(`/resources?filter[parent]=${parent}&sort=menuindex&limit=20&${fields}`),
    read: (id) => get(`/resources/${id}?${fields}`),
    address: (uri) => get(`/pages/${uri}?${fields}`),
    search: (words) => get(`/resources?q=${encodeURIComponent(words)}&limit=20&${fields}`),
    indexSearch: (words) => get(`/resources?search=${encodeURIComponent(words)}&limit=20&${fields}`),
    create: ({ title, uri, parent, order, published, content, date }) => {
      const rest = { parent, published, content, alias: uri, menuindex: order, publishedon: date };
      return {
        method: 'POST',
        path: `${basePath}/resources`,
        headers,
        body: JSON.stringify({ pagetitle: title, ...rest }),
      };
    },
    update: (id, title) => {
      const path = `${basePath}/resources/${id}`;
      return { method: 'PATCH', path, headers, body: JSON.stringify({ pagetitle: title }) };
    },
    pages: pagesAt('data', 'pagetitle'),
  };
}
