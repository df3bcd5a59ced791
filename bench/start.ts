/**
 * What a start costs: `hcd serve` with all APIs until its first answer and idle afterwards, in turn with a bare program of
 * Koa and Sequelize on the same database; and short commands, in turn with `node -e 0`. `npm run bench:start`.
 */
import { execFileSync, spawn } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { get } from 'node:http';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { endWithUs } from './children.js';
import { orderOfRound, ratiosOf, spreadOf } from './figures.js';
import { pinTo } from './find-program.js';
import { type DatabaseName, provideSite } from './generate.js';
import { readOptions } from './options.js';
import { cpuOf, memoryOf, pause } from './processes.js';
import { basePath, rootSecret } from './record.js';
import { withServer } from './run.js';

const count = 1000;
const repeats = 5;
const warmUp = 1;
const options = readOptions(process.argv.slice(2), 'node');
const idleMs = options.seconds * 1000;
const compiled = dirname(fileURLToPath(import.meta.url));
const program = join(compiled, '../../bin/hcd');
const say = (text: string): void => void process.stdout.write(`${text}\n`);

interface Start {
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly firstMs: number;
  readonly residentMib: number;
  readonly heapMib: number;
}

const measures: readonly [member: keyof Start, name: string, unit: string][] = [
  ['cpuMs', 'processor time to the first answer', 'ms'],
  ['wallMs', 'time to the first answer', 'ms'],
  ['residentMib', 'resident memory, idle', 'MiB'],
  ['heapMib', 'used heap, idle', 'MiB'],
  ['firstMs', 'time of the first request', 'ms'],
];

await mkdir(options.folder, { recursive: true });
for (const database of options.databases) {
  await withServer({ database, options }, async (serverUrl) => {
    const databaseUrl = await provideSite({ database, count, folder: options.folder, serverUrl, say });
    await compareServers(database, databaseUrl);
    compareCommands(database, databaseUrl);
  });
}

async function compareServers(database: DatabaseName, databaseUrl: string): Promise<void> {
  const starts: Start[][] = [[], []];
  const servers = [
    { args: [program, 'serve', '--port', '0'], path: `${basePath}/resources?limit=20&fields=id,pagetitle,uri` },
    { args: [join(compiled, 'targets/bare-koa.js'), databaseUrl], path: '/' },
  ];
  for (let round = -warmUp; round < options.rounds; round += 1) {
    for (const at of orderOfRound([0, 1], round)) {
      const server = servers[at];
      if (server === undefined) continue;
      const start = await startOnce(server, environment(databaseUrl));
      if (round >= 0) starts[at]?.push(start);
    }
  }
  const [own = [], bare = []] = starts;
  for (const [member, name, unit] of measures) {
    const of = (list: readonly Start[]) => list.map((start) => start[member]);
    line(`${database} | ${name}`, { own: of(own), yardstick: of(bare), unit });
  }
}

function compareCommands(database: DatabaseName, databaseUrl: string): void {
  const commands = [['--version'], ['--help'], ['key', 'list']];
  const lines = [['-e', '0'], ...commands.map((words) => [program, ...words])];
  const costs: number[][] = lines.map(() => []);
  for (let round = -warmUp; round < options.rounds; round += 1) {
    for (const at of orderOfRound([...lines.keys()], round)) {
      const cost = commandMs(lines[at] ?? [], environment(databaseUrl));
      if (round >= 0) costs[at]?.push(cost);
    }
  }
  const [yardstick = [], ...others] = costs;
  for (const [at, own] of others.entries()) {
    line(`${database} | hcd ${commands[at]?.join(' ')}, processor time`, { own, yardstick, unit: 'ms' });
  }
}

function environment(databaseUrl: string): NodeJS.ProcessEnv {
  return {
    ...process.env,
    HCD_DATABASE_URL: databaseUrl,
    HCD_SECRET: rootSecret,
    NODE_ENV: 'production',
    NO_COLOR: '1',
  };
}

/** Starts the server, asks as soon as it listens, leaves it idle, and ends it. */
async function startOnce(
  { args, path }: { readonly args: readonly string[]; readonly path: string },
  env: NodeJS.ProcessEnv,
): Promise<Start> {
  const tellHeap = pathToFileURL(join(compiled, 'targets/tell-heap.js')).href;
  const [file = '', ...words] = [...pinTo(0), process.execPath, '--import', tellHeap, ...args];
  const began = performance.now();
  const child = spawn(file, words, { cwd: options.folder, env, stdio: ['ignore', 'ignore', 'pipe'] });
  endWithUs(child);
  const ended = new Promise((resolve) => child.once('exit', resolve));
  let said = '';
  const told = (form: RegExp) =>
    new Promise<number>((resolve, reject) => {
      const look = () => {
        const found = form.exec(said)?.[1];
        if (found !== undefined) resolve(Number(found));
      };
      child.stderr.on('data', look);
      child.once('exit', () => reject(new Error(`${args.join(' ')} ended:\n${said.slice(-2000)}`)));
    });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const port = await told(/listening on http:\/\/[^\s"]*:(\d+)/);
  const asked = performance.now();
  await ask(port, path);
  const answered = performance.now();
  const cpuMs = (cpuOf(child.pid) ?? Number.NaN) * 1000;
  await pause(idleMs);
  const residentMib = memoryOf(child.pid)?.now ?? Number.NaN;
  const heap = told(/heap used: (\d+)/);
  child.kill('SIGUSR2');
  const heapMib = (await heap) / 2 ** 20;
  child.kill('SIGTERM');
  await ended;
  return { wallMs: answered - began, cpuMs, firstMs: answered - asked, residentMib, heapMib };
}

function ask(port: number, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, path, agent: false }, (answer) => {
      answer.resume().once('end', resolve);
      if (answer.statusCode !== 200) reject(new Error(`${path} answered ${answer.statusCode}`));
    }).once('error', reject);
  });
}

/** Processor time of one run, from the shell's own count: it has the end of the process as well. */
function commandMs(words: readonly string[], env: NodeJS.ProcessEnv): number {
  const loop = `for i in ${'x '.repeat(repeats)}; do "$@" >/dev/null || exit; done; times`;
  const said = execFileSync('/bin/sh', ['-c', loop, 'sh', process.execPath, ...words], {
    cwd: options.folder,
    env,
    encoding: 'utf8',
  });
  const times = [...(said.split('\n')[1] ?? '').matchAll(/(\d+)m([\d.]+)s/g)];
  return (
    (times.reduce((sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds), 0) / repeats) * 1000
  );
}

function line(
  name: string,
  figures: { readonly own: readonly number[]; readonly yardstick: readonly number[]; readonly unit: string },
): void {
  const { own, yardstick, unit } = figures;
  const { median, least, most } = ratiosOf(own, yardstick);
  const middle = (values: readonly number[]) => spreadOf(values).median.toFixed(0);
  const range = `${least.toFixed(2)} to ${most.toFixed(2)}`;
  say(`${name} | ${median.toFixed(2)} | ${range} | ${middle(own)} ${unit} to ${middle(yardstick)}`);
}
