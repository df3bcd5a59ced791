/**
 * Twice the load that one process can answer: how long accepted requests take, against half of its capacity, and what
 * becomes of the others, of health and of the memory. `npm run bench:overload`. Requests are sent by the clock, whether
 * earlier ones were answered or not.
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

interface Answer {
  readonly status: number;
  /** Milliseconds since the start of the run when it was sent, and until it was answered. */
  readonly at: number;
  readonly took: number;
}

interface Target {
  readonly server: ServerProcess;
  readonly agent: Agent;
  readonly key: string;
}

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '20' },
    databases: { type: 'string', default: 'sqlite,mariadb' },
    /** Records in an answer: larger ones take the server more time and the load hardly any. */
    limit: { type: 'string', default: '100' },
  },
});
const seconds = Number(options.seconds);
let asked = 0;
const program = join(dirname(fileURLToPath(import.meta.url)), '../../bin/hcd');
const folder = await mkdtemp(join(tmpdir(), 'hcd-bench-overload-'));
for (const database of options.databases.split(',')) await measure(database);
await rm(folder, { recursive: true, force: true });

async function measure(database: string): Promise<void> {
  if (database === 'mariadb' && !canStartMariadb()) return;
  const mariadb = database === 'mariadb' ? await startBenchMariadb(folder, pinTo(1)) : undefined;
  const url = mariadb === undefined ? `sqlite:${join(folder, 'site.sqlite')}` : `${mariadb.url}/hcd_overload`;
  if (mariadb !== undefined) {
    const at = ['-h127.0.0.1', '-uroot', `-P${new URL(mariadb.url).port}`];
    await promisify(execFile)('mariadb', [...at, '-e', 'CREATE DATABASE hcd_overload']);
  }
  const settings = {
    HCD_DATABASE_URL: url,
    HCD_SECRET: 'bench-of-overload-0123456789abcdef0123456789abcdef',
    HCD_GATEWAY_RATE_LIMIT_ENABLED: '0',
    NO_COLOR: '1',
  };
  const env = { ...process.env, ...settings };
  const { stdout } = await promisify(execFile)(process.execPath, [program, 'demo'], { cwd: folder, env });
  const server = await startServerProcess({
    command: [...pinTo(0), process.execPath, program, 'serve', 'gateway', '--port', '0'],
    env: settings,
    cwd: folder,
    logFile: join(folder, `${database}.log`),
  });
  const agent = new Agent({ keepAlive: true });
  try {
    await report(database, { server, agent, key: /(gk_\w+)/.exec(stdout)?.[1] ?? '' });
  } finally {
    agent.destroy();
    await server.stop();
    await mariadb?.stop();
  }
}

async function report(database: string, target: Target): Promise<void> {
  await capacityOf(target);
  const capacity = await capacityOf(target);
  const half = await sendByClock(target, capacity / 2);
  const before = target.server.memory()?.now ?? Number.NaN;
  const twice = await sendByClock(target, capacity * 2);
  const peak = target.server.memory()?.peak ?? Number.NaN;
  const after = await sendByClock(target, capacity / 2);
  const { health } = twice;
  const accepted = twice.answers.filter(({ status }) => status === 200);
  const refused = twice.answers.filter(({ status }) => status === 503);
  const other = twice.answers.length - accepted.length - refused.length;
  const lastRefused = Math.max(0, ...after.answers.flatMap(({ status, at }) => (status === 503 ? [at] : [])));
  const halfP99 = p99(half.answers.filter(({ status }) => status === 200));
  // Until then the requests that wait would take less than two seconds.
  const twiceP99 = p99(accepted.filter(({ at }) => at > 2500));
  const lines = [
    `${database}: ${capacity.toFixed(0)} answers a second at most`,
    `half: ${part(half.answers, 200)} answered, p99 ${halfP99.toFixed(1)} ms`,
    `twice: ${part(twice.answers, 200)} answered, p99 ${p99(accepted).toFixed(1)} ms; after 2.5 s ${twiceP99.toFixed(1)} ms, ${(twiceP99 / halfP99).toFixed(1)} times that at half`,
    `       ${((accepted.length / seconds / capacity) * 100).toFixed(0)} % of the capacity is used; ${other} other answers`,
    `       refused: ${part(twice.answers, 503)}, p99 ${p99(refused).toFixed(1)} ms`,
    `       health: ${part([...health.kept, ...health.accepted], 200)} good, p99 ${p99(health.kept).toFixed(1)} ms, over a new connection ${p99(health.accepted).toFixed(1)} ms`,
    `       memory ${before.toFixed(0)} MiB before, ${peak.toFixed(0)} MiB at most`,
    `after: the last refusal ${lastRefused.toFixed(0)} ms later`,
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

function part(answers: readonly Answer[], wanted: number): string {
  const count = answers.filter(({ status }) => status === wanted).length;
  return `${((count / answers.length) * 100).toFixed(1)} %`;
}

function p99(answers: readonly Answer[]): number {
  const times = answers.map(({ took }) => took).sort((one, other) => one - other);
  return times[Math.floor(times.length * 0.99)] ?? Number.NaN;
}

/** Answers a second to callers that send without pause. */
async function capacityOf(target: Target): Promise<number> {
  const until = performance.now() + 3000;
  let answered = 0;
  const caller = async () => {
    for (; performance.now() < until; answered += 1) await send(target, { start: 0, path: newPath() });
  };
  await Promise.all(Array.from({ length: 24 }, caller));
  return answered / 3;
}

interface Outcome {
  readonly answers: readonly Answer[];
  /** Asked over a connection that was open before, and over one that has to be accepted. */
  readonly health: { readonly kept: readonly Answer[]; readonly accepted: readonly Answer[] };
}

/** Sends so many requests a second, and asks for health ten times a second over each kind of connection. */
async function sendByClock(target: Target, rate: number): Promise<Outcome> {
  const start = performance.now();
  const [open, closing] = [new Agent({ keepAlive: true }), new Agent({ keepAlive: false })];
  const sent: Promise<Answer>[] = [];
  const kept: Promise<Answer>[] = [];
  const accepted: Promise<Answer>[] = [];
  const path = '/api/v1/health';
  for (let now = 0; now < seconds * 1000; now = performance.now() - start) {
    while (sent.length < (now / 1000) * rate) sent.push(send(target, { start, path: newPath() }));
    if (kept.length < now / 100) {
      kept.push(send({ ...target, agent: open }, { start, path }));
      accepted.push(send({ ...target, agent: closing }, { start, path }));
    }
    await pause(2);
  }
  const health = { kept: await Promise.all(kept), accepted: await Promise.all(accepted) };
  open.destroy();
  return { answers: await Promise.all(sent), health };
}

/** A list that was not asked for before: answers from memory cost the server less than this client. */
function newPath(): string {
  asked += 1;
  return `/api/v1/resources?limit=${options.limit}&filter[id][neq]=${1_000_000 + asked}`;
}

/** Status 0 where the connection broke. */
function send({ server, agent, key }: Target, { start, path }: { readonly start: number; readonly path: string }) {
  const at = performance.now();
  const headers = { authorization: `Bearer ${key}` };
  return new Promise<Answer>((resolve) => {
    const end = (status: number) => resolve({ status, at: at - start, took: performance.now() - at });
    const sent = request({ host: '127.0.0.1', port: server.port, path, agent, headers }, (answer) => {
      answer.on('error', () => end(0));
      answer.on('end', () => end(answer.statusCode ?? 0));
      answer.resume();
    });
    sent.on('error', () => end(0));
    sent.end();
  });
}
