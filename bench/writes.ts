/**
 * `npm run bench:writes`: POST requests for new resources. One writer against a bare server that runs the same statements
 * through the bare driver, and fifty writers against one.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { endOnSignals } from './children.js';
import { orderOfRound, ratiosOf, type Spread, spreadOf } from './figures.js';
import { pinTo } from './find-program.js';
import type { DatabaseName } from './generate.js';
import { load } from './load.js';
import { makeKey } from './make-key.js';
import { canStartMariadb } from './mariadb-server.js';
import { readOptions } from './options.js';
import { type OutboxSite, openOutboxSite, rootSecret } from './outbox/outbox-site.js';
import { type ServerProcess, startServerProcess } from './processes.js';
import { withServer } from './run.js';
import { loadAtPace } from './tracking/paced-load.js';
import { recordWrites } from './writes/record-writes.js';
import { whileWriting, writeFrom } from './writes/write-load.js';

endOnSignals();
const compiled = dirname(fileURLToPath(import.meta.url));
const program = join(compiled, '../../bin/hcd');
const options = readOptions(process.argv.slice(2), 'node');
const { folder, rounds } = options;
const requests = 300;
/** Until then the engine still interprets much of what a POST runs. */
const warmUpRequests = 4000;
const manyWriters = 50;
const scopes = 'resources.create';
await mkdir(folder, { recursive: true });

print('| database | figure | measured | least and most of the rounds |');
print('| --- | --- | --- | --- |');
for (const database of options.databases) {
  if (database === 'mariadb' && !canStartMariadb()) continue;
  await withServer({ database, options }, (serverUrl) => measure({ database, serverUrl, folder }));
}

interface Measured {
  /** Requests a second, and processor time of the server for each, of one round. */
  readonly rate: number;
  readonly cost: number;
}

async function measure(place: {
  readonly database: DatabaseName;
  readonly serverUrl: string;
  readonly folder: string;
}): Promise<void> {
  const servers: ServerProcess[] = [];
  try {
    const recorded = await openOutboxSite({ ...place, name: 'writes_recorded' });
    const transactions = await recordWrites(recorded.store, {
      key: makeKey({ program, folder, env: environment(recorded), scopes }),
      requests: warmUpRequests + requests * rounds,
    });
    await recorded.store.close();
    const bareSite = await openOutboxSite({ ...place, name: 'writes_bare' });
    await bareSite.store.close();
    const file = join(folder, 'writes.json');
    await writeFile(file, JSON.stringify({ databaseUrl: bareSite.databaseUrl, transactions }));
    const start = async (name: string, command: readonly string[], env: Record<string, string> = {}) => {
      const logFile = join(folder, `writes-${name}.log`);
      const server = await startServerProcess({
        command: [...pinTo(0), process.execPath, ...command],
        ...{ env, cwd: folder, logFile },
      });
      servers.push(server);
      return server;
    };
    const served = await openOutboxSite({ ...place, name: 'writes_served' });
    await served.store.close();
    const key = makeKey({ program, folder, env: environment(served), scopes });
    const bare = await start('bare', [join(compiled, 'targets/bare-writes.js'), file]);
    const hcd = await start('hcd', [program, 'serve', 'gateway', '--port', '0'], environment(served));
    const targets = [
      { name: 'bare', server: bare, connections: 1 },
      { name: 'one', server: hcd, connections: 1 },
      { name: 'many', server: hcd, connections: manyWriters },
    ] as const;
    const results = { bare: [] as Measured[], one: [] as Measured[], many: [] as Measured[] };
    await writeFrom({ port: bare.port, key }, { requests: warmUpRequests, connections: 1 });
    await writeFrom({ port: hcd.port, key }, { requests: warmUpRequests, connections: manyWriters });
    for (let round = 0; round < rounds; round += 1) {
      for (const { name, server, connections } of orderOfRound(targets, round)) {
        const before = server.cpuSeconds() ?? Number.NaN;
        const seconds = await writeFrom({ port: server.port, key }, { requests, connections });
        const cost = ((server.cpuSeconds() ?? Number.NaN) - before) / requests;
        results[name].push({ rate: requests / seconds, cost });
      }
    }
    const { bare: yardstick, one, many } = results;
    const rates = (all: readonly Measured[]) => all.map(({ rate }) => rate);
    const costs = (all: readonly Measured[]) => all.map(({ cost }) => cost);
    const name = place.database;
    row(name, 'one writer against the bare driver, rate', ratiosOf(rates(one), rates(yardstick)));
    row(name, 'the same, processor time (bare / hcd)', ratiosOf(costs(yardstick), costs(one)));
    row(name, 'fifty writers against one, rate', ratiosOf(rates(many), rates(one)));
    row(name, 'fifty writers against one writer of the bare driver, rate', ratiosOf(rates(many), rates(yardstick)));
    row(name, 'one / fifty, processor time of hcd for a POST', ratiosOf(costs(one), costs(many)));
    const times = await readsWhileWriting({ port: hcd.port, key });
    row(name, 'p99 of reads against their p50, at half load while fifty write', times.ratio);
    print(`| ${name} | reads at half load, a second; p50 and p99 | ${times.rate} | ${times.p50} and ${times.p99} ms |`);
    process.stderr.write(`${JSON.stringify({ database: name, statements: transactions[0]?.length, results })}\n`);
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}

/** Single reads at fixed times, half as many as are answered without pause, while clients write without pause. */
async function readsWhileWriting(writer: { readonly port: number; readonly key: string }) {
  const path = '/api/v1/resources/1';
  const asked = { port: writer.port, seconds: options.seconds, connections: 32 };
  const whole = { ...asked, paths: [path], client: options.client, folder };
  return whileWriting(writer, { connections: manyWriters }, async () => {
    const found: { readonly p50Ms: number; readonly p99Ms: number; readonly rate: number }[] = [];
    for (let round = -1; round < rounds; round += 1) {
      const rate = Math.max(1, Math.floor((await load(whole)).rate / 2));
      const { p50Ms, p99Ms, bad } = await loadAtPace({ ...asked, path, rate });
      if (bad > 0) throw new Error(`${bad} reads were not answered while others wrote`);
      if (round >= 0) found.push({ p50Ms, p99Ms, rate });
    }
    const middle = (figure: (one: (typeof found)[number]) => number) => spreadOf(found.map(figure)).median;
    return {
      ratio: ratiosOf(
        found.map(({ p99Ms }) => p99Ms),
        found.map(({ p50Ms }) => p50Ms),
      ),
      rate: middle((one) => one.rate).toFixed(0),
      p50: middle((one) => one.p50Ms).toFixed(1),
      p99: middle((one) => one.p99Ms).toFixed(1),
    };
  });
}

function environment({ databaseUrl }: OutboxSite): Record<string, string> {
  return {
    ...{ HCD_DATABASE_URL: databaseUrl, HCD_SECRET: rootSecret, NODE_ENV: 'production' },
    HCD_GATEWAY_RATE_LIMIT_ENABLED: '0',
  };
}

function row(database: DatabaseName, figure: string, { median, least, most }: Spread): void {
  print(`| ${database} | ${figure} | ${median.toFixed(2)} | ${least.toFixed(2)} to ${most.toFixed(2)} |`);
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
