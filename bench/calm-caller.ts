/**
 * A caller of 127.0.0.3 with ten requests a second beside 300 connections of 127.0.0.2 that send without pause: how long its
 * answers take, for each kind of flood. `node dist/bench/calm-caller.js`. The flood runs in a process of its own.
 */
import { execFile, fork } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { pinTo } from './find-program.js';
import { canStartMariadb, startBenchMariadb } from './mariadb-server.js';
import { pause, startServerProcess } from './processes.js';

/** The head of a request of the flood, by its number. */
const floods: Readonly<Record<string, (at: number, key: string) => string>> = {
  none: () => '',
  'cheap reads': (at) => `GET /api/v1/resources?limit=1&x=${at} HTTP/1.1\r\nHost: a\r\n\r\n`,
  'new lists': (at) => `GET /api/v1/resources?limit=100&filter[id][neq]=${1e6 + at} HTTP/1.1\r\nHost: a\r\n\r\n`,
  searches: (at) => `GET /api/v1/resources?search=the&filter[id][neq]=${1e6 + at} HTTP/1.1\r\nHost: a\r\n\r\n`,
  'unknown routes': (at) => `GET /api/v1/none/${at} HTTP/1.1\r\nHost: a\r\n\r\n`,
  OPTIONS: () => 'OPTIONS /api/v1/resources HTTP/1.1\r\nHost: a\r\n\r\n',
  'health with queries': (at) => `GET /api/v1/health?y=${at} HTTP/1.1\r\nHost: a\r\n\r\n`,
  'queries that end in /health': (at) =>
    `GET /api/v1/resources?limit=100&filter[id][neq]=${1e6 + at}&y=/health HTTP/1.1\r\nHost: a\r\n\r\n`,
  'wrong keys': (at) => `GET /api/v1/resources?x=${at} HTTP/1.1\r\nHost: a\r\nX-API-Key: gk_wrong${at}\r\n\r\n`,
  'a valid key': (at, key) =>
    `GET /api/v1/resources?limit=100&filter[id][neq]=${1e6 + at} HTTP/1.1\r\nHost: a\r\nX-API-Key: ${key}\r\n\r\n`,
  bodies: (at, key) => {
    const body = JSON.stringify({ pagetitle: `Flood ${at}`, alias: `flood-${at}-${process.pid}` });
    return `POST /api/v1/resources HTTP/1.1\r\nHost: a\r\nX-API-Key: ${key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  },
  'slow bodies': (at, key) =>
    `POST /api/v1/resources HTTP/1.1\r\nHost: a\r\nX-API-Key: ${key}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"x":${at}`,
};

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '8' },
    databases: { type: 'string', default: 'sqlite,mariadb' },
    floods: { type: 'string', default: Object.keys(floods).join(',') },
  },
});

const [kind, port, key] = process.env['HCD_BENCH_FLOOD']?.split('|') ?? [];
if (kind !== undefined) flood(kind, Number(port), key ?? '');
else for (const database of options.databases.split(',')) await measure(database);

/** Sends the next request of each connection when the answer before it arrives. */
function flood(kind: string, port: number, key: string): void {
  let sent = 0;
  const statuses: Record<string, number> = {};
  const open = (): void => {
    const socket = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.2' });
    const send = () => socket.write(floods[kind]?.(sent++, key) ?? '');
    socket.on('connect', send);
    socket.on('data', (chunk) => {
      const status = /^HTTP\/1.1 (\d+)/.exec(chunk.toString('latin1', 0, 12))?.[1];
      if (status === undefined) return;
      statuses[status] = (statuses[status] ?? 0) + 1;
      send();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => setTimeout(open, 20));
  };
  for (let at = 0; at < 300; at += 1) open();
  process.on('message', () => process.send?.(statuses));
}

async function measure(database: string): Promise<void> {
  if (database === 'mariadb' && !canStartMariadb()) return;
  const folder = await mkdtemp(join(tmpdir(), 'hcd-bench-calm-'));
  const mariadb = database === 'mariadb' ? await startBenchMariadb(folder, pinTo(1)) : undefined;
  const url = mariadb === undefined ? `sqlite:${join(folder, 'site.sqlite')}` : `${mariadb.url}/hcd_calm`;
  if (mariadb !== undefined) {
    const at = ['-h127.0.0.1', '-uroot', `-P${new URL(mariadb.url).port}`];
    await promisify(execFile)('mariadb', [...at, '-e', 'CREATE DATABASE hcd_calm']);
  }
  const settings = {
    HCD_DATABASE_URL: url,
    HCD_SECRET: 'bench-of-overload-0123456789abcdef0123456789abcdef',
    HCD_GATEWAY_RATE_LIMIT_MAX_REQUESTS: '0',
    NO_COLOR: '1',
  };
  const program = join(dirname(fileURLToPath(import.meta.url)), '../../bin/hcd');
  const env = { ...process.env, ...settings };
  const { stdout } = await promisify(execFile)(process.execPath, [program, 'demo'], { cwd: folder, env });
  const server = await startServerProcess({
    command: [...pinTo(0), process.execPath, program, 'serve', 'gateway', '--port', '0'],
    env: settings,
    cwd: folder,
    logFile: join(folder, 'server.log'),
  });
  try {
    for (const kind of options.floods.split(',')) await beside(kind, server.port, /(gk_\w+)/.exec(stdout)?.[1] ?? '');
  } finally {
    await server.stop();
    await mariadb?.stop();
    await rm(folder, { recursive: true, force: true });
  }

  async function beside(kind: string, port: number, key: string): Promise<void> {
    const env = { ...process.env, HCD_BENCH_FLOOD: `${kind}|${port}|${key}` };
    const child = kind === 'none' ? undefined : fork(fileURLToPath(import.meta.url), { env });
    await pause(2000);
    const agent = new Agent({ keepAlive: true, localAddress: '127.0.0.3' });
    const answers: Promise<{ readonly status: number; readonly took: number }>[] = [];
    const start = performance.now();
    for (let now = 0; now < Number(options.seconds) * 1000; now = performance.now() - start) {
      while (answers.length < now / 100) answers.push(ask(agent, port, answers.length));
      await pause(5);
    }
    const done = await Promise.all(answers);
    const statuses = await new Promise((resolve) => {
      if (child === undefined) return resolve({});
      child.once('message', resolve);
      child.send('report');
    });
    child?.kill();
    agent.destroy();
    const times = done.map(({ took }) => took).sort((one, other) => one - other);
    const good = done.filter(({ status }) => status === 200).length;
    const [p50, p99, most] = [0.5, 0.99, 1].map((part) => times[Math.ceil(times.length * part) - 1]?.toFixed(0));
    process.stdout.write(
      `${database}, ${kind}: ${good} of ${done.length} answered, p50 ${p50} ms, p99 ${p99} ms, most ${most} ms; flood ${JSON.stringify(statuses)}\n`,
    );
    await pause(1500);
  }
}

function ask(agent: Agent, port: number, at: number) {
  const began = performance.now();
  const path = `/api/v1/resources?limit=20&filter[id][neq]=${2e6 + at}`;
  return new Promise<{ readonly status: number; readonly took: number }>((resolve) => {
    const end = (status: number) => resolve({ status, took: performance.now() - began });
    const sent = request({ host: '127.0.0.1', port, path, agent }, (answer) => {
      answer.on('error', () => end(0));
      answer.on('end', () => end(answer.statusCode ?? 0));
      answer.resume();
    });
    sent.on('error', () => end(0));
    sent.end();
  });
}
