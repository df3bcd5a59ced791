/**
 * What worker processes cost: processor time of the whole server for one request with several workers, against that
 * with one process, both in turn. `npm run bench:workers`. The load and the machine's other work take processor time
 * too, so two cores do not show the rate of two workers; they show what a request costs, which decides it on more cores.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { pinTo } from './find-program.js';
import { canStartMariadb, startBenchMariadb } from './mariadb-server.js';
import { pause, type ServerProcess, startServerProcess } from './processes.js';

interface Site {
  readonly server: ServerProcess;
  readonly agent: Agent;
  readonly key: string;
  readonly processes: number;
  /** Processor seconds that it takes in a second without a request: its processes read their settings again and again. */
  readonly idle: number;
}

interface Row {
  readonly name: string;
  readonly requests: number;
  path(turn: number): string;
  headers?(site: Site, turn: number): Readonly<Record<string, string>>;
}

/** How long each server is watched without requests. */
const idleMs = 10_000;
const warmUpRounds = 4;

const withKey = ({ key }: Site) => ({ authorization: `Bearer ${key}` });
const list = (turn: number) => `/api/v1/resources?offset=${turn % 9}&limit=${10 + (Math.floor(turn / 9) % 80)}`;

const rows: readonly Row[] = [
  { name: 'kept list', requests: 6000, path: () => '/api/v1/resources?limit=20' },
  // Ten requests of each visitor, below the limit of one that may ask 120 times.
  {
    name: 'kept list, visitors',
    requests: 6000,
    path: () => '/api/v1/resources?limit=20',
    headers: (_, turn) => ({
      'x-forwarded-for': `198.${18 + (turn % 2)}.${Math.floor(Math.random() * 6)}.${turn % 100}`,
    }),
  },
  { name: 'single read', requests: 4000, path: (turn) => `/api/v1/resources/${1 + (turn % 200)}`, headers: withKey },
  { name: 'list', requests: 1500, path: list, headers: withKey },
];

const settings = {
  HCD_SECRET: 'bench-of-workers-0123456789abcdef0123456789abcdef',
  HCD_GATEWAY_TRUSTED_PROXIES: '127.0.0.1',
  NODE_ENV: 'production',
  NO_COLOR: '1',
};

const { values: options } = parseArgs({
  options: {
    workers: { type: 'string', default: '2' },
    rounds: { type: 'string', default: '9' },
    connections: { type: 'string', default: '16' },
    databases: { type: 'string', default: 'sqlite,mariadb' },
    /** Where the workers count; other values than auto show what another place costs. */
    store: { type: 'string', default: 'auto' },
  },
});
const program = join(dirname(fileURLToPath(import.meta.url)), '../../bin/hcd');
const folder = await mkdtemp(join(tmpdir(), 'hcd-bench-workers-'));
for (const database of options.databases.split(',')) await compare(database);
await rm(folder, { recursive: true, force: true });

async function compare(database: string): Promise<void> {
  if (database === 'mariadb' && !canStartMariadb()) return;
  const mariadb = database === 'mariadb' ? await startBenchMariadb(folder, pinTo(1)) : undefined;
  const url = mariadb === undefined ? `sqlite:${join(folder, 'site.sqlite')}` : `${mariadb.url}/hcd_workers`;
  if (mariadb !== undefined) {
    const at = ['-h127.0.0.1', '-uroot', `-P${new URL(mariadb.url).port}`];
    await promisify(execFile)('mariadb', [...at, '-e', 'CREATE DATABASE hcd_workers']);
  }
  const env = { ...process.env, ...settings, HCD_DATABASE_URL: url };
  const { stdout } = await promisify(execFile)(process.execPath, [program, 'demo'], { cwd: folder, env });
  const key = /(gk_\w+)/.exec(stdout)?.[1] ?? '';
  const sites: Site[] = [];
  try {
    for (const workers of ['1', options.workers]) sites.push(await openSite(workers, { url, key }));
    await measure(database, sites);
  } finally {
    for (const { server, agent } of sites) {
      agent.destroy();
      await server.stop();
    }
    await mariadb?.stop();
  }
}

async function openSite(workers: string, { url, key }: { readonly url: string; readonly key: string }): Promise<Site> {
  const server = await startServerProcess({
    command: [...pinTo(0), process.execPath, program, 'serve', 'gateway', '--port', '0', '--workers', workers],
    env: {
      ...settings,
      HCD_DATABASE_URL: url,
      HCD_RATE_LIMIT_STORE: workers === '1' ? 'auto' : options.store,
      // Above what the run asks, so that each request is counted and none is refused.
      HCD_GATEWAY_RATE_LIMIT_MAX_REQUESTS: '1000000',
    },
    cwd: folder,
    logFile: join(folder, `workers-${workers}.log`),
  });
  const idle = await idleCost(server);
  return {
    server,
    key,
    processes: Number(workers),
    idle,
    agent: new Agent({ keepAlive: true, maxSockets: Number(options.connections) }),
  };
}

async function measure(database: string, sites: readonly Site[]): Promise<void> {
  for (const row of rows) {
    const ratios: number[] = [];
    // Each process gets as many requests: its engine interprets much of what answers the first ones.
    for (const site of sites) {
      for (let round = 0; round < warmUpRounds * site.processes; round += 1) await costOf(row, site);
    }
    for (let round = 0; round < Number(options.rounds); round += 1) {
      const order = round % 2 === 0 ? sites : [...sites].reverse();
      const cost = new Map<Site, number>();
      for (const site of order) cost.set(site, await costOf(row, site));
      const [one, several] = sites.map((site) => cost.get(site) ?? Number.NaN);
      ratios.push((several ?? Number.NaN) / (one ?? Number.NaN));
    }
    ratios.sort((a, b) => a - b);
    const at = (part: number) => ratios[Math.floor(((ratios.length - 1) * part) / 4)]?.toFixed(2);
    const range = `half of the rounds ${at(1)} to ${at(3)}`;
    process.stdout.write(`${database.padEnd(8)} ${row.name.padEnd(24)} ${at(2)}  (${range})\n`);
  }
}

async function idleCost(server: ServerProcess): Promise<number> {
  // A server loads some of its parts a second after it listens.
  await pause(3000);
  const started = server.cpuSeconds() ?? Number.NaN;
  await pause(idleMs);
  return ((server.cpuSeconds() ?? Number.NaN) - started) / (idleMs / 1000);
}

/** Microseconds of processor time of the whole server for one request, without what it takes when idle. */
async function costOf(row: Row, site: Site): Promise<number> {
  const started = site.server.cpuSeconds() ?? Number.NaN;
  const began = performance.now();
  let next = 0;
  const caller = async () => {
    while (next < row.requests) await send(site, row, next++);
  };
  await Promise.all(Array.from({ length: Number(options.connections) }, caller));
  const used = (site.server.cpuSeconds() ?? Number.NaN) - started;
  return ((used - (site.idle * (performance.now() - began)) / 1000) / row.requests) * 1e6;
}

function send(site: Site, row: Row, turn: number): Promise<void> {
  const headers = { ...row.headers?.(site, turn) };
  return new Promise((resolve, reject) => {
    const sent = request(
      { host: '127.0.0.1', port: site.server.port, path: row.path(turn), headers, agent: site.agent },
      (answer) => {
        const { statusCode = 0 } = answer;
        answer.on('error', reject);
        answer.on('end', () => {
          if (statusCode < 400 || statusCode === 404) resolve();
          else reject(new Error(`${row.name}: ${row.path(turn)} answered ${statusCode}`));
        });
        answer.resume();
      },
    );
    sent.on('error', reject);
    sent.end();
  });
}
