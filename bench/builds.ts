/**
 * Compares two builds of the program on the sample site: processor time of the server for one request, both builds in
 * turn. `npm run bench:builds -- --before /path/to/other/checkout`.
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
  readonly gatewayKey: string;
  readonly pageToken: string;
  readonly bannerKey: string;
}

interface Question {
  readonly path: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

interface Row {
  readonly name: string;
  readonly requests: number;
  ask(site: Site, turn: number): Question;
}

const browser = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 Safari/537.36';
/** A path that no memory has an answer for: `offset` makes every question another one. */
const fresh = (turn: number) => `offset=${turn % 9}&limit=${10 + (Math.floor(turn / 9) % 80)}`;
const withKey = ({ gatewayKey }: Site) => ({ authorization: `Bearer ${gatewayKey}` });
const withToken = ({ pageToken }: Site) => ({ authorization: `Bearer ${pageToken}` });
const asJson = { 'content-type': 'application/json' };

const rows: readonly Row[] = [
  { name: 'kept list', requests: 2400, ask: () => ({ path: '/api/v1/resources?limit=20' }) },
  {
    name: 'filtered list',
    requests: 800,
    ask: (_, turn) => ({ path: `/api/v1/resources?filter[template][gte]=1&${fresh(turn)}&fields=id,pagetitle,uri` }),
  },
  {
    name: 'list with a key',
    requests: 600,
    ask: (site, turn) => ({ path: `/api/v1/resources?${fresh(turn)}&include=tvs`, headers: withKey(site) }),
  },
  {
    name: 'single read with a key',
    requests: 1200,
    ask: (site, turn) => ({ path: `/api/v1/resources/${1 + (turn % 200)}`, headers: withKey(site) }),
  },
  {
    name: 'page by URI with a key',
    requests: 1200,
    ask: (site) => ({ path: '/api/v1/pages/equipment/tents', headers: withKey(site) }),
  },
  {
    name: 'change of a resource',
    requests: 200,
    ask: (site, turn) => ({
      path: '/api/v1/resources/28',
      method: 'PATCH',
      headers: { ...withKey(site), ...asJson },
      body: JSON.stringify({ longtitle: `Carried ${turn}` }),
    }),
  },
  {
    name: 'new resource',
    requests: 160,
    ask: (site, turn) => ({
      path: '/api/v1/resources',
      method: 'POST',
      headers: { ...withKey(site), ...asJson },
      body: JSON.stringify({ pagetitle: `Tour ${turn} ${Math.random()}`, parent: 28 }),
    }),
  },
  {
    name: 'page document',
    requests: 1600,
    ask: (site) => ({ path: '/pages/api/v1.php/pages/251?include=values', headers: withToken(site) }),
  },
  {
    name: 'page as HTML',
    requests: 1600,
    ask: (site) => ({ path: '/pages/api/v1.php/pages/251?include=html', headers: withToken(site) }),
  },
  {
    name: 'banner list',
    requests: 600,
    ask: ({ bannerKey }) => ({ path: '/banners/api.php/ads?limit=10', headers: { 'x-api-key': bannerKey } }),
  },
  {
    name: 'banner statistics',
    requests: 600,
    ask: ({ bannerKey }) => ({
      path: '/banners/api.php/stats?period=last_7_days',
      headers: { 'x-api-key': bannerKey },
    }),
  },
  {
    name: 'slot',
    requests: 1200,
    ask: ({ bannerKey }) => ({ path: '/banners/api.php/slots/header?limit=2', headers: { 'x-api-key': bannerKey } }),
  },
  {
    name: 'click of one visitor',
    requests: 1600,
    ask: () => ({ path: '/bannerclick/1', headers: { 'user-agent': browser } }),
  },
];

/** Code that is not hot yet is slow in both. */
const warmUpRounds = 3;

const settings = {
  HCD_SECRET: 'bench-of-builds-0123456789abcdef0123456789abcdef',
  NODE_ENV: 'production',
  NO_COLOR: '1',
};

const { values: options } = parseArgs({
  options: {
    before: { type: 'string' },
    rounds: { type: 'string', default: '35' },
    databases: { type: 'string', default: 'sqlite,mariadb' },
    /** Names of rows, separated by commas; empty means all. */
    rows: { type: 'string', default: '' },
  },
});
if (options.before === undefined) throw new Error('--before names the checkout of the other build, compiled');
const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const folder = await mkdtemp(join(tmpdir(), 'hcd-bench-builds-'));
for (const database of options.databases.split(',')) await compare(database, options.before);
await rm(folder, { recursive: true, force: true });

async function compare(database: string, before: string): Promise<void> {
  const mariadb = database === 'mariadb' && canStartMariadb() ? await startBenchMariadb(folder, pinTo(1)) : undefined;
  const sites: Site[] = [];
  try {
    for (const [name, checkout] of [
      ['before', before],
      ['after', root],
    ] as const) {
      const url = mariadb === undefined ? `sqlite:${join(folder, `${name}.sqlite`)}` : `${mariadb.url}/hcd_${name}`;
      if (mariadb !== undefined)
        await promisify(execFile)('mariadb', [
          '-h127.0.0.1',
          '-uroot',
          `-P${new URL(mariadb.url).port}`,
          '-e',
          `CREATE DATABASE hcd_${name}`,
        ]);
      sites.push(await openSite({ name: `${database}-${name}`, checkout, url }));
    }
    await measure(database, sites);
  } finally {
    for (const { server, agent } of sites) {
      agent.destroy();
      await server.stop();
    }
    await mariadb?.stop();
  }
}

async function openSite(site: {
  readonly name: string;
  readonly checkout: string;
  readonly url: string;
}): Promise<Site> {
  const program = join(site.checkout, 'bin/hcd');
  const env = { ...process.env, ...settings, HCD_DATABASE_URL: site.url };
  const { stdout } = await promisify(execFile)(process.execPath, [program, 'demo'], { cwd: folder, env });
  for (const name of ['gateway_rate_limit_max_requests', 'pages_rest_throttle_per_minute']) {
    await promisify(execFile)(process.execPath, [program, 'setting', 'set', name, '0'], { cwd: folder, env });
  }
  const found = (pattern: RegExp) => pattern.exec(stdout)?.[1] ?? '';
  const server = await startServerProcess({
    command: [...pinTo(0), process.execPath, program, 'serve', '--port', '0'],
    env: { ...settings, HCD_DATABASE_URL: site.url },
    cwd: folder,
    logFile: join(folder, `${site.name}.log`),
  });
  return {
    server,
    agent: new Agent({ keepAlive: true, maxSockets: 8 }),
    gatewayKey: found(/(gk_\w+)/),
    pageToken: found(/(pt_\w+)/),
    bannerKey: found(/banners_api_key: (\S+)/),
  };
}

async function measure(database: string, sites: readonly Site[]): Promise<void> {
  const wanted = options.rows.split(',');
  for (const row of rows.filter(({ name }) => options.rows === '' || wanted.includes(name))) {
    const costs: [before: number, after: number][] = [];
    for (let round = 0; round < warmUpRounds + Number(options.rounds); round += 1) {
      const order = round % 2 === 0 ? sites : [...sites].reverse();
      const cost = new Map<Site, number>();
      for (const site of order) cost.set(site, await costOf(row, site));
      const [before = Number.NaN, after = Number.NaN] = sites.map((site) => cost.get(site));
      if (round >= warmUpRounds) costs.push([before, after]);
    }
    // Others on the machine only ever make a round dearer: the cheap rounds of both builds say most.
    const [before, after] = ([0, 1] as const).map((site) =>
      quarterOf(
        costs.map((cost) => cost[site]),
        1,
      ),
    );
    const ratios = costs.map(([one, other]) => other / one);
    const range = `half of the rounds ${quarterOf(ratios, 1).toFixed(2)} to ${quarterOf(ratios, 3).toFixed(2)}`;
    const ratio = ((after ?? Number.NaN) / (before ?? Number.NaN)).toFixed(2);
    process.stdout.write(`${database.padEnd(8)} ${row.name.padEnd(24)} ${ratio}  (${range})\n`);
  }
}

/** The value below which so many quarters of them lie. */
function quarterOf(values: readonly number[], quarters: number): number {
  return [...values].sort((a, b) => a - b)[Math.floor((values.length * quarters) / 4)] ?? Number.NaN;
}

/** Microseconds of processor time of the server for one request. */
async function costOf(row: Row, site: Site): Promise<number> {
  const started = site.server.cpuSeconds() ?? Number.NaN;
  let next = 0;
  const caller = async () => {
    while (next < row.requests) await send(site, row, next++);
  };
  await Promise.all(Array.from({ length: 8 }, caller));
  // What is written behind the answer belongs to it.
  if (row.name.startsWith('click')) await pause(1200);
  return (((site.server.cpuSeconds() ?? Number.NaN) - started) / row.requests) * 1e6;
}

function send(site: Site, row: Row, turn: number): Promise<void> {
  const { path, method = 'GET', headers = {}, body } = row.ask(site, turn);
  return new Promise((resolve, reject) => {
    const sent = request(
      { host: '127.0.0.1', port: site.server.port, path, method, headers: { ...headers }, agent: site.agent },
      (answer) => {
        const { statusCode = 0 } = answer;
        answer.on('error', reject);
        answer.on('end', () =>
          statusCode < 400 || statusCode === 404
            ? resolve()
            : reject(new Error(`${row.name}: ${path} answered ${statusCode}`)),
        );
        answer.resume();
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}
