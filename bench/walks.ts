/**
 * How many files of the program run for one question: a filtered list, a change with its event, a click until it is
 * recorded, and `key create`. Files that run while the server is idle, or not in each of three rounds, do not count.
 * `npm run bench:walks -- --checkout /path/to/other/checkout --show list`.
 */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { endWithUs, pause } from './servers.js';

const here = dirname(fileURLToPath(import.meta.url));
const { values: options } = parseArgs({
  options: {
    checkout: { type: 'string', default: join(here, '../..') },
    /** Walks whose files are listed, separated by commas. */
    show: { type: 'string', default: '' },
  },
});
const folder = mkdtempSync(join(tmpdir(), 'hcd-walks-'));
const out = join(folder, 'files.ndjson');
const program = join(options.checkout, 'bin/hcd');
const env = { ...process.env, HCD_DATABASE_URL: `sqlite:${join(folder, 'site.sqlite')}`, NO_COLOR: '1' };
const watched = { NODE_OPTIONS: `--import=${join(here, 'targets/coverage.js')}`, WALK_OUT: out };

function run(args: readonly string[], more: Readonly<Record<string, string>> = {}): string {
  return execFileSync(process.execPath, [program, ...args], {
    cwd: folder,
    env: { ...env, ...more },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}

/** Files reported since the last call. */
let seen = 0;
function reported(): Set<string> {
  const lines = existsSync(out) ? readFileSync(out, 'utf8').trim().split('\n') : [];
  const found = lines.slice(seen).flatMap((line): string[] => JSON.parse(line));
  seen = lines.length;
  return new Set(found);
}

const key = /gk_\w+/.exec(run(['demo'], { HCD_PORT: '0' }))?.[0] ?? '';
run(['webhook', 'add', '--url', 'https://example.com/hook', '--events', 'resources.updated']);
// Behind a flag the program serves from a file for each part of it.
const server = spawn(process.execPath, [program, '--no-color', 'serve', '--port', '0'], {
  cwd: folder,
  env: { ...env, ...watched },
  stdio: ['ignore', 'ignore', 'pipe'],
});
endWithUs(server);
let said = '';
server.stderr.on('data', (chunk: Buffer) => {
  said += chunk.toString();
});
const address = () => /listening on (http:[^\s"]+)/.exec(said)?.[1];
while (address() === undefined && server.exitCode === null) await pause(50);

async function filesOf(ask: () => Promise<unknown>, until: number): Promise<Set<string>> {
  server.kill('SIGUSR2');
  await pause(500);
  reported();
  await ask();
  await pause(until);
  server.kill('SIGUSR2');
  await pause(500);
  return reported();
}

async function ask(path: string, init: RequestInit = {}): Promise<number> {
  const answer = await fetch(`${address()}${path}`, { redirect: 'manual', ...init });
  await answer.text();
  return answer.status;
}

await ask('/api/v1/resources?limit=1');
await pause(3000);
const idle = await filesOf(async () => undefined, 1500);
const walks = new Map<string, Set<string>>();

/** The files that run each time: work of the server's own that falls between is not part of the walk. */
async function walk(name: string, askOnce: (round: number) => Promise<unknown>, until: number): Promise<void> {
  let common: Set<string> | undefined;
  for (let round = 1; round <= 3; round += 1) {
    const files = await filesOf(() => askOnce(round), until);
    common = common === undefined ? files : new Set([...common].filter((file) => files.has(file)));
    // What a change left to do later does not belong to the next request.
    await pause(5000);
  }
  walks.set(name, common ?? new Set());
}

const list = '/api/v1/resources?filter[template][gte]=1&sort=-menuindex&fields=id,pagetitle&limit=';
await walk('list', (round) => ask(`${list}${4 + round}`), 50);
const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
const change = (round: number) => ({
  method: 'PATCH',
  headers,
  body: JSON.stringify({ longtitle: `Everything to carry, ${round}` }),
});
await walk('patch', (round) => ask('/api/v1/resources/28', change(round)), 50);
const browser = (round: number) =>
  `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/12${round}.0 Safari/537.36`;
await walk('click', (round) => ask('/bannerclick/1', { headers: { 'user-agent': browser(round) } }), 1500);
server.kill('SIGTERM');
await new Promise((resolve) => server.once('exit', resolve));
reported();
run(['key', 'create', '--scopes', 'resources.read'], { ...watched, WALK_COMMAND: '1' });
walks.set('key create', reported());

for (const [name, files] of walks) {
  const own = [...files].filter((file) => name === 'key create' || !idle.has(file)).sort();
  const folders = new Set(own.map((file) => dirname(file)));
  process.stdout.write(`${name.padEnd(10)} ${own.length} files in ${folders.size} folders\n`);
  if (options.show.split(',').includes(name)) process.stdout.write(`${own.map((file) => `  ${file}\n`).join('')}`);
}
rmSync(folder, { recursive: true, force: true });
