/**
 * `npm run test:soak -- [--minutes 30] [--database sqlite|mariadb]`: reads, writes, clicks, pages and webhooks on the
 * sample site for so long. Ends with 1 when memory grows, a request fails, or the store is not sound afterwards.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { quarterOf } from './figures.js';
import { load, type Question } from './load.js';
import { openSampleSite, type Place, runHcd, startHcd, withPlace } from './place.js';
import { type Asked, rowsNamed } from './sample-rows.js';
import { endOnSignals, pause } from './servers.js';

const { values: options } = parseArgs({
  options: { minutes: { type: 'string', default: '30' }, database: { type: 'string', default: 'sqlite' } },
});
const minutes = Number(options.minutes);
if (!(minutes > 0)) throw new Error('--minutes must be a number above 0');
const database = options.database === 'mariadb' ? 'mariadb' : 'sqlite';
/** Samples of memory; the first half, in which memories fill, does not count. */
const samples = 60;
/** Growth from the third to the fourth quarter that is no leak: a share, and MiB. */
const tolerated = { share: 0.05, mib: 8 };
/** Milliseconds between two requests: what one process serves beside other work of the machine. */
const everyMs = 1000 / 60;
const say = (text: string): void => void process.stdout.write(`${text}\n`);

const rows = rowsNamed(
  ...['list', 'single read', 'kept page by URI', 'PATCH', 'page as HTML', 'slot', 'click of new visitors'],
);
const others: readonly ((round: number, site: Asked) => Question)[] = [
  (round, { gatewayKey }) => ({
    ...{ path: '/api/v1/resources', method: 'POST' },
    headers: {
      ...{ authorization: `Bearer ${gatewayKey}`, 'content-type': 'application/json' },
      'idempotency-key': `soak-${round}-${process.pid}`,
    },
    body: JSON.stringify({ pagetitle: `Soaked ${round}`, alias: `soaked-${round}`, parent: 28 }),
  }),
  (round) => ({ path: `/api/v1/resources?q=${'abcdefghijklmnopqrstuvwxyz'[round % 26]}&limit=5` }),
  // Refused, and each by another caller.
  (round) => ({ path: '/api/v1/resources', headers: { authorization: `Bearer gk_${round}_wrong` } }),
];

/** One request of each kind in turn, about other records each time. */
function questionOf(turn: number, site: Asked): Question {
  const kinds = rows.length + others.length;
  const [at, round] = [turn % kinds, Math.floor(turn / kinds)];
  return rows[at]?.question(site, round) ?? others[at - rows.length]?.(round, site) ?? { path: '/' };
}

endOnSignals();
const folder = await mkdtemp(join(tmpdir(), 'hcd-soak-'));
const unused = {
  before: undefined,
  profiles: undefined,
  workers: '1',
  rounds: 0,
  sizes: [0, 0],
  seconds: 0,
  connections: 8,
} as const;
try {
  const isSound = await withPlace({ database, folder, options: unused }, soak);
  process.exitCode = isSound ? 0 : 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function soak(place: Place): Promise<boolean> {
  let received = 0;
  const receiver = createServer((asked, answer) => {
    received += 1;
    asked.resume();
    answer.end();
  });
  await new Promise<void>((ready) => receiver.listen(0, '127.0.0.1', ready));
  place.atEnd(async () => void receiver.close());
  const site = await openSampleSite(place, 'soak');
  const { databaseUrl } = site;
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  await runHcd(place, { databaseUrl, words: ['webhook', 'add', '--url', url, '--events', '*'] });
  const server = await startHcd(place, { name: 'server', databaseUrl });
  // It says nothing when it begins.
  const worker = await startHcd(place, { name: 'worker', databaseUrl, words: ['worker'], ready: /^/ });
  const memory: Record<'server' | 'worker', number[]> = { server: [], worker: [] };
  const failures = new Map<string, number>();
  let asked = 0;
  const fail = async (status: number, turn: number): Promise<void> => {
    const { method = 'GET', path } = questionOf(turn, { ...site, tag: '' });
    const name = `${method} ${path.split('?')[0]}: ${status}`;
    failures.set(name, (failures.get(name) ?? 0) + 1);
    if (failures.get(name) !== 1) return;
    say(
      `failed after ${asked} requests: ${name}\n${(await readFile(join(folder, 'server.log'), 'utf8')).slice(-2000)}`,
    );
  };
  const watch = async (): Promise<void> => {
    for (let at = 0; at < samples; at += 1) {
      await pause((minutes * 60_000) / samples);
      for (const one of [server, worker]) {
        one.checkRunning();
        one.emptyLog();
      }
      memory.server.push(server.memory());
      memory.worker.push(worker.memory());
      const [ofServer, ofWorker] = [memory.server.at(-1), memory.worker.at(-1)];
      say(
        `${asked} requests, ${received} webhooks; server ${ofServer?.toFixed(0)} MiB, worker ${ofWorker?.toFixed(0)} MiB`,
      );
    }
  };
  const ask = load({
    ...{ port: server.port, connections: 8, seconds: minutes * 60, everyMs },
    question: (turn) => questionOf(turn, { ...site, tag: '' }),
    onStatus(status, turn) {
      asked += 1;
      if (status === 0 || status >= 500) void fail(status, turn);
    },
  });
  await Promise.all([watch(), ask]);
  for (const one of [server, worker]) await one.stop();
  const leaks = (['server', 'worker'] as const).filter((name) => grows(name, memory[name]));
  for (const [name, count] of failures) say(`failed: ${name} (${count} times)`);
  const checked = await runHcd(place, { databaseUrl, words: ['db', 'check'] }).then(
    () => '',
    (error: { readonly stdout?: string }) => error.stdout ?? String(error),
  );
  say(checked === '' ? 'The store is sound.' : `The store is not sound:\n${checked}`);
  return leaks.length === 0 && failures.size === 0 && checked === '' && received > 0;
}

/** Medians of the third and of the fourth quarter: single samples rise and fall with the collection of garbage. */
function grows(name: string, values: readonly number[]): boolean {
  const [middle, last] = [values.length / 2, (values.length * 3) / 4].map(Math.floor);
  const [before, after] = [quarterOf(values.slice(middle, last), 2), quarterOf(values.slice(last), 2)];
  const isGrowing = !(after - before <= Math.max(tolerated.mib, before * tolerated.share));
  const found = `${before.toFixed(1)} MiB in the third quarter, ${after.toFixed(1)} MiB in the fourth`;
  say(`${name}: ${found}${isGrowing ? ': it grows' : ''}`);
  return isGrowing;
}
