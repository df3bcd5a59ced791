/**
 * `npm run bench:client`: what the client of `client/` adds to a bare fetch, in processor time of the asking process.
 * Both ask the same server for the same answers, in turn. A second bare fetch shows what the method itself adds.
 */
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createClient } from '../client/src/client.js';
import { endOnSignals } from './children.js';
import { orderOfRound, spreadOf } from './figures.js';
import { pinTo } from './find-program.js';
import { provideSite } from './generate.js';
import { readOptions } from './options.js';
import { startServerProcess } from './processes.js';
import { basePath, rootSecret, siteSettings } from './record.js';

/** Requests of one way to ask before the next one has its turn. */
const batch = 10;
/** Rounds: until the functions of every way are compiled. */
const warmUp = 100;

endOnSignals();
const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const { folder, rounds } = readOptions(['--rounds', '300', ...process.argv.slice(2)], 'node');
await mkdir(folder, { recursive: true });
const say = (text: string): void => void process.stderr.write(`${text}\n`);
const databaseUrl = await provideSite({ database: 'sqlite', count: 1000, folder, serverUrl: '', say });
const server = await startServerProcess({
  command: [...pinTo(0), process.execPath, join(root, 'bin/hcd'), 'serve', 'gateway', '--port', '0'],
  env: { NODE_ENV: 'production', HCD_DATABASE_URL: databaseUrl, HCD_SECRET: rootSecret, ...siteSettings },
  cwd: folder,
  logFile: join(folder, 'client.log'),
});
try {
  const url = `http://127.0.0.1:${server.port}`;
  const keeping = createClient({ url });
  const whole = createClient({ url, keep: 0 });
  const fields = ['id', 'pagetitle', 'uri'] as const;
  const questions: readonly [name: string, path: string, ask: (client: typeof whole) => Promise<unknown>][] = [
    ['a record', '/resources/1', (client) => client.get('resources', 1)],
    [
      'list of 20, three fields',
      '/resources?fields=id,pagetitle,uri&limit=20',
      (client) => client.list('resources', { fields, limit: 20 }),
    ],
    ['list of 20 with content', '/resources?limit=20', (client) => client.list('resources', { limit: 20 })],
  ];
  print('| answer | fetch | the same again | client | client with kept answers |');
  print('| --- | --- | --- | --- | --- |');
  for (const [name, path, ask] of questions) {
    const address = `${url}${basePath}${path}`;
    const bare = async (): Promise<unknown> => {
      const response = await fetch(address, { headers: { accept: 'application/json' } });
      if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
      return response.json();
    };
    const [fetched = [], ...others] = await compare([bare, bare, () => ask(whole), () => ask(keeping)]);
    const usual = spreadOf(fetched).median;
    print(`| ${[name, `${usual.toFixed(0)} µs`, ...others.map((cost) => added(cost, fetched, usual))].join(' | ')} |`);
  }
} finally {
  await server.stop();
}

/** Microseconds of processor for one request of each way, round by round. */
async function compare(ways: readonly (() => Promise<unknown>)[]): Promise<readonly number[][]> {
  const costs: number[][] = ways.map(() => []);
  for (let round = -warmUp; round < rounds; round += 1) {
    for (const at of orderOfRound(shifted([...ways.keys()], round), round)) {
      const before = process.cpuUsage();
      for (let request = 0; request < batch; request += 1) await ways[at]?.();
      // What a connection does after an answer belongs to it, whichever way waits longer for its last promise.
      for (let turn = 0; turn < 2; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      const { user, system } = process.cpuUsage(before);
      if (round >= 0) costs[at]?.push((user + system) / batch);
    }
  }
  return costs;
}

/** So that each way follows each other one. */
function shifted(ways: readonly number[], round: number): readonly number[] {
  const first = Math.abs(round >> 1) % ways.length;
  return [...ways.slice(first), ...ways.slice(0, first)];
}

/** What the way adds: the median of the rounds' differences, with the middle half of them. */
function added(cost: readonly number[], fetched: readonly number[], usual: number): string {
  const differences = cost.map((one, round) => one - (fetched[round] ?? Number.NaN)).sort((one, other) => one - other);
  const [low, middle, high] = [0.25, 0.5, 0.75].map((part) => differences[Math.floor(differences.length * part)] ?? 0);
  const signed = (value = 0): string => `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(1)}`;
  const share = ((100 * (middle ?? 0)) / usual).toFixed(1).replace('-', '−');
  return `${signed(middle)} µs, ${share} % (${signed(low)} to ${signed(high)})`;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
