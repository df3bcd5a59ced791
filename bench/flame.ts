/**
 * `npm run bench:flame`: where the event loop spends its time under a load, as a flame graph for each and one table of kinds of
 * code. `--scenarios` names the loads; the graphs are files of the folder `--out`.
 */
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { endOnSignals } from './children.js';
import { pinTo } from './find-program.js';
import { flameGraph, type Kind, ownShares, readFlames } from './flame-graph.js';
import { type DatabaseName, provideSite } from './generate.js';
import { load } from './load.js';
import { makeKey } from './make-key.js';
import { canStartMariadb } from './mariadb-server.js';
import { readOptions } from './options.js';
import { openOutboxSite } from './outbox/outbox-site.js';
import { startServerProcess } from './processes.js';
import { basePath, rootSecret } from './record.js';
import { withServer } from './run.js';
import { chooseScenarios } from './scenarios.js';
import { floods, openTrackingSite, paths } from './tracking/tracking-site.js';
import { loadByVisitors } from './tracking/visitor-load.js';
import { writeFrom } from './writes/write-load.js';

/** The start of the server, and what the compiler of Node does at first, are left out. */
const skipped = 0.5;
const count = 1000;
const listed: readonly Kind[] = ['program', 'database', 'Node', 'sending', 'collection', 'other'];

endOnSignals();
const program = join(dirname(fileURLToPath(import.meta.url)), '../../bin/hcd');
const options = readOptions(['--seconds=20', ...process.argv.slice(2)], 'wrk');
const { folder, seconds, connections, client, out } = options;

interface Place {
  readonly database: DatabaseName;
  readonly serverUrl: string;
  readonly folder: string;
}

interface Load {
  readonly name: string;
  /** Makes what the server needs; `send` is the load on it. */
  readonly prepare: (place: Place) => Promise<{
    readonly env: Readonly<Record<string, string>>;
    readonly send: (port: number) => Promise<unknown>;
  }>;
}

const loads: readonly Load[] = [
  ...floods.map(({ name, kind, visitors }): Load => {
    const send = (port: number) => loadByVisitors({ port, path: paths[kind], visitors, seconds, connections, folder });
    const prepare: Load['prepare'] = async (place) => {
      const { env, store } = await openTrackingSite(place);
      await store.close();
      return { env, send };
    };
    return { name, prepare };
  }),
  ...['children', 'read', 'page'].flatMap((scenario): Load[] => {
    return [
      { name: scenario, prepare: (place) => prepareReads(place, { scenario, keeps: false, isKnown: false }) },
      { name: `${scenario} kept`, prepare: (place) => prepareReads(place, { scenario, keeps: true, isKnown: false }) },
      {
        name: `${scenario} with a known key`,
        prepare: (place) => prepareReads(place, { scenario, keeps: true, isKnown: true }),
      },
    ];
  }),
  {
    name: 'new resources',
    async prepare(place) {
      const { databaseUrl, store } = await openOutboxSite({ ...place, name: 'flame_writes' });
      await store.close();
      const env = environment(databaseUrl);
      const key = makeKey({ program, folder, env, scopes: 'resources.create' });
      const send = async (port: number): Promise<void> => {
        const until = performance.now() + seconds * 1000;
        const isOn = () => performance.now() < until;
        await writeFrom({ port, key }, { requests: Number.POSITIVE_INFINITY, connections, isOn });
      };
      return { env, send };
    },
  },
];

await Promise.all([folder, out].map((path) => mkdir(path, { recursive: true })));
const wanted = loads.filter(({ name }) => options.scenarios.length === 0 || options.scenarios.includes(name));
if (wanted.length === 0) throw new Error(`--scenarios takes: ${loads.map(({ name }) => `"${name}"`).join(', ')}`);
print(`| database | load | ${listed.join(' | ')} | function with the most |`);
print(`| --- | --- | ${listed.map(() => '---').join(' | ')} | --- |`);
for (const database of options.databases) {
  if (database === 'mariadb' && !canStartMariadb()) continue;
  await withServer({ database, options }, async (serverUrl) => {
    for (const one of wanted) await draw(one, { database, serverUrl, folder });
  });
}

async function draw({ name, prepare }: Load, place: Place): Promise<void> {
  const { env, send } = await prepare(place);
  const profiles = await mkdtemp(join(folder, 'flame-'));
  const profiling = ['--cpu-prof', '--cpu-prof-interval', '200', '--cpu-prof-dir', profiles];
  const server = await startServerProcess({
    command: [...pinTo(0), process.execPath, ...profiling, program, 'serve', '--port', '0'],
    ...{ env, cwd: folder, logFile: join(folder, 'flame.log') },
  });
  try {
    await send(server.port);
  } finally {
    await server.stop();
  }
  const flames = await readFlames(profiles, skipped);
  const title = `${name}, ${place.database}`;
  await writeFile(join(out, `${title.replaceAll(/\W+/g, '-')}.svg`), flameGraph(flames, title));
  const { functions, kinds } = ownShares(flames);
  const percent = (share: number) => (share * 100).toFixed(0);
  const most = functions.find(({ kind }) => kind === 'program');
  const cells = [place.database, name, ...listed.map((kind) => percent(kinds[kind]))];
  print(`| ${cells.join(' | ')} | ${most?.name}, ${percent(most?.share ?? 0)} |`);
}

async function prepareReads(
  place: Place,
  { scenario, keeps, isKnown }: { readonly scenario: string; readonly keeps: boolean; readonly isKnown: boolean },
): ReturnType<Load['prepare']> {
  const databaseUrl = await provideSite({ ...place, count, say: (text) => void process.stderr.write(`${text}\n`) });
  const env = environment(databaseUrl, keeps ? {} : { HCD_GATEWAY_CACHE_ENABLED: '0' });
  const headers = isKnown
    ? { Authorization: `Bearer ${makeKey({ program, folder, env, scopes: 'resources.read' })}` }
    : {};
  const targets = chooseScenarios([scenario]).flatMap((one) => one.paths(count).map((path) => basePath + path));
  const send = (port: number) => load({ port, paths: targets, seconds, connections, client, folder, headers });
  return { env, send };
}

function environment(
  databaseUrl: string,
  more: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  return {
    ...{ HCD_DATABASE_URL: databaseUrl, HCD_SECRET: rootSecret, NODE_ENV: 'production' },
    // Requests are counted, but one caller asks more often than any limit allows.
    ...{ HCD_GATEWAY_RATE_LIMIT_MAX_REQUESTS: '1000000000', ...more },
  };
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
