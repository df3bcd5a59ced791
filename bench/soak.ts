/**
 * `npm run test:soak -- [--minutes 30] [--database sqlite|mariadb]`: reads, writes, clicks, pages and webhooks on the
 * sample site for so long. Ends with 1 when memory grows, a request fails, or the store is not sound afterwards.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { endOnSignals } from './children.js';
import { canStartMariadb, startBenchMariadb } from './mariadb-server.js';
import { pause, type ServerProcess, startServerProcess } from './processes.js';

const { values: options } = parseArgs({
  options: { minutes: { type: 'string', default: '30' }, database: { type: 'string', default: 'sqlite' } },
});
const minutes = Number(options.minutes);
if (!(minutes > 0)) throw new Error('--minutes must be a number above 0');
/** Samples of memory; the first half, in which memories fill, does not count. */
const samples = 60;
/** Growth from the third to the fourth quarter that is no leak: a share, and MiB. */
const tolerated = { share: 0.05, mib: 8 };
/** Requests per second: what one process serves beside other work of the machine. */
const rate = 60;

const program = join(dirname(fileURLToPath(import.meta.url)), '../../bin/hcd');
const browser = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 Safari/537.36';
const run = promisify(execFile);
const say = (text: string): void => void process.stdout.write(`${text}\n`);

interface Keys {
  readonly gateway: string;
  readonly page: string;
  readonly banner: string;
}

interface Question {
  readonly path: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** One request of each kind in turn, about other records each time. */
function questionOf(turn: number, keys: Keys): Question {
  const round = Math.floor(turn / kinds.length);
  return kinds[turn % kinds.length]?.(round, keys) ?? { path: '/api/v1/health' };
}

const asJson = { 'content-type': 'application/json' };
const kinds: readonly ((round: number, keys: Keys) => Question)[] = [
  (round) => ({ path: `/api/v1/resources?limit=20&offset=${round % 300}` }),
  (round) => ({ path: `/api/v1/resources?q=${'abcdefghijklmnopqrstuvwxyz'[round % 26]}&limit=5` }),
  (round, { gateway }) => ({
    path: `/api/v1/resources/${1 + (round % 300)}?include=tvs`,
    headers: { authorization: `Bearer ${gateway}` },
  }),
  () => ({ path: '/api/v1/pages/equipment/tents' }),
  (round, { gateway }) => ({
    path: '/api/v1/resources/28',
    method: 'PATCH',
    headers: { authorization: `Bearer ${gateway}`, ...asJson },
    body: JSON.stringify({ longtitle: `Soaked ${round}` }),
  }),
  (round, { gateway }) => ({
    path: '/api/v1/resources',
    method: 'POST',
    headers: { authorization: `Bearer ${gateway}`, ...asJson, 'idempotency-key': `soak-${round}-${process.pid}` },
    body: JSON.stringify({ pagetitle: `Soaked ${round}`, alias: `soaked-${round}`, parent: 28 }),
  }),
  (_round, { page }) => ({
    path: '/pages/api/v1.php/pages/251?include=html',
    headers: { authorization: `Bearer ${page}` },
  }),
  (_round, { banner }) => ({ path: '/banners/api.php/slots/header?limit=2', headers: { 'x-api-key': banner } }),
  (round) => ({
    path: '/bannerclick/1',
    headers: {
      'user-agent': browser,
      'x-forwarded-for': `10.${(round >> 16) & 255}.${(round >> 8) & 255}.${round & 255}`,
    },
  }),
  // Refused, and each by another caller.
  (round) => ({ path: '/api/v1/resources', headers: { authorization: `Bearer gk_${round}_wrong` } }),
];

endOnSignals();
const folder = await mkdtemp(join(tmpdir(), 'hcd-soak-'));
const mariadb = options.database === 'mariadb' && canStartMariadb() ? await startBenchMariadb(folder, []) : undefined;
const env = {
  HCD_SECRET: 'soak-0123456789abcdef0123456789abcdef',
  HCD_DATABASE_URL: mariadb === undefined ? `sqlite:${join(folder, 'site.sqlite')}` : `${mariadb.url}/soak`,
  HCD_GATEWAY_RATE_LIMIT_ENABLED: '0',
  HCD_GATEWAY_TRUSTED_PROXIES: '127.0.0.1',
  HCD_GATEWAY_WEBHOOK_ALLOW_PRIVATE_URLS: '1',
  NO_COLOR: '1',
};
const hcd = (...words: readonly string[]) =>
  run(process.execPath, [program, ...words], { cwd: folder, env: { ...process.env, ...env } });
let received = 0;
const receiver = createServer((asked, answer) => {
  received += 1;
  asked.resume();
  answer.end();
});
await new Promise<void>((ready) => receiver.listen(0, '127.0.0.1', ready));
const { port: receiverPort } = receiver.address() as AddressInfo;
if (mariadb !== undefined) {
  const place = ['-h127.0.0.1', '-uroot', `-P${new URL(mariadb.url).port}`];
  await run('mariadb', [...place, '-e', 'CREATE DATABASE soak']);
}
const processes: ServerProcess[] = [];
let code = 1;
try {
  code = await soak();
} finally {
  for (const one of processes) await one.stop();
  receiver.close();
  await mariadb?.stop();
  await rm(folder, { recursive: true, force: true });
}
process.exitCode = code;

async function soak(): Promise<number> {
  const { stdout } = await hcd('demo');
  const found = (pattern: RegExp): string => pattern.exec(stdout)?.[1] ?? '';
  const keys = { gateway: found(/(gk_\w+)/), page: found(/(pt_\w+)/), banner: found(/X-API-Key: (\w+)/) };
  await hcd('setting', 'set', 'pages_rest_throttle_per_minute', '0');
  await hcd('webhook', 'add', '--url', `http://127.0.0.1:${receiverPort}/`, '--events', '*');
  const start = (name: string, words: readonly string[], ready?: RegExp) =>
    startServerProcess({
      command: [process.execPath, program, ...words],
      ...{ env, cwd: folder, logFile: join(folder, `${name}.log`), ...(ready && { ready }) },
    });
  const server = await start('server', ['serve', '--port', '0']);
  processes.push(server);
  // It says nothing when it begins.
  const worker = await start('worker', ['worker'], /^/);
  processes.push(worker);
  const memory: { readonly server: number; readonly worker: number }[] = [];
  const failures = new Map<string, number>();
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  const ends = performance.now() + minutes * 60_000;
  let asked = 0;
  const caller = async (): Promise<void> => {
    while (performance.now() < ends) {
      const question = questionOf(asked++, keys);
      const failure = await send(question, { agent, port: server.port });
      if (failure !== null) {
        const name = `${question.method ?? 'GET'} ${question.path.split('?')[0]}: ${failure}`;
        if (!failures.has(name)) say(`failed after ${asked} requests: ${name}`);
        failures.set(name, (failures.get(name) ?? 0) + 1);
      }
      await pause((8 * 1000) / rate);
    }
  };
  const watcher = async (): Promise<void> => {
    for (let at = 0; at < samples; at += 1) {
      await pause((minutes * 60_000) / samples);
      for (const one of processes) {
        one.checkRunning();
        one.emptyLog();
      }
      memory.push({ server: server.memory()?.now ?? Number.NaN, worker: worker.memory()?.now ?? Number.NaN });
      const last = memory.at(-1);
      say(
        `${asked} requests, ${received} webhooks; server ${last?.server.toFixed(0)} MiB, worker ${last?.worker.toFixed(0)} MiB`,
      );
    }
  };
  await Promise.all([watcher(), ...Array.from({ length: 8 }, caller)]);
  agent.destroy();
  for (const one of processes) await one.stop();
  const leaks = (['server', 'worker'] as const).filter((name) =>
    grows(
      memory.map((one) => one[name]),
      name,
    ),
  );
  for (const [name, count] of failures) say(`failed: ${name} (${count} times)`);
  const checked = await hcd('db', 'check').then(
    () => '',
    (error: { readonly stdout?: string }) => error.stdout ?? String(error),
  );
  say(checked === '' ? 'The store is sound.' : `The store is not sound:\n${checked}`);
  return leaks.length === 0 && failures.size === 0 && checked === '' && received > 0 ? 0 : 1;
}

/** Medians of the third and of the fourth quarter: single samples rise and fall with the collection of garbage. */
function grows(values: readonly number[], name: string): boolean {
  const median = (from: number, to: number): number => {
    const part = values.slice(Math.floor(values.length * from), Math.floor(values.length * to)).sort((a, b) => a - b);
    return part[Math.floor(part.length / 2)] ?? Number.NaN;
  };
  const [before, after] = [median(0.5, 0.75), median(0.75, 1)];
  const isGrowing = !(after - before <= Math.max(tolerated.mib, before * tolerated.share));
  say(
    `${name}: ${before.toFixed(1)} MiB in the third quarter, ${after.toFixed(1)} MiB in the fourth${isGrowing ? ': it grows' : ''}`,
  );
  return isGrowing;
}

/** Null for an answer below 500; else its status, or the error of the connection, and what the answer says. */
function send(
  { path, method = 'GET', headers = {}, body }: Question,
  { agent, port }: { readonly agent: Agent; readonly port: number },
): Promise<string | null> {
  return new Promise((resolve) => {
    const fail = (error: Error): void => resolve(String(error));
    const sent = request({ host: '127.0.0.1', port, path, method, headers: { ...headers }, agent }, (answer) => {
      const { statusCode = 0 } = answer;
      let text = '';
      answer.setEncoding('utf8');
      answer.on('error', fail);
      answer.on('data', (part: string) => {
        if (statusCode >= 500 && text.length < 2000) text += part;
      });
      answer.on('end', () => resolve(statusCode < 500 ? null : `${statusCode} ${withoutIds(text)}`));
    });
    sent.on('error', fail);
    sent.end(body);
  });
}

/** Without what differs from answer to answer. */
function withoutIds(text: string): string {
  return text.replace(/"(?:request_id|requestId|instance)":"[^"]*",?/g, '').trim();
}
