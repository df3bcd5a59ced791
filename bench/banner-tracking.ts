/** `npm run bench:tracking`: click redirects and pixels against a bare server that answers the same without recording. */
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Store } from '../src/store/open.js';
import { endOnSignals } from './children.js';
import { orderOfRound, ratiosOf, type Spread, spreadOf } from './figures.js';
import { findProgram, pinTo } from './find-program.js';
import type { DatabaseName } from './generate.js';
import { canStartMariadb } from './mariadb-server.js';
import { readOptions } from './options.js';
import { openOutboxSite, rootSecret } from './outbox/outbox-site.js';
import { type ServerProcess, startServerProcess } from './processes.js';
import { withServer } from './run.js';
import { loadByVisitors, type VisitorFigures } from './tracking/visitor-load.js';

endOnSignals();
if (findProgram('wrk') === undefined) throw new Error('wrk is not installed, and only it can play many visitors');
const compiled = dirname(fileURLToPath(import.meta.url));
const root = join(compiled, '../..');
const options = readOptions(process.argv.slice(2), 'wrk');
const { folder, rounds, seconds, connections } = options;
await mkdir(folder, { recursive: true });

const questions = [
  { name: 'clicks, each a new visitor', path: '/bannerclick/1', visitors: 'new' },
  { name: 'clicks of one visitor', path: '/bannerclick/1', visitors: 'same' },
  { name: 'pixels, each a new visitor', path: '/bannerimpression/1', visitors: 'new' },
  { name: 'pixels of one visitor', path: '/bannerimpression/1', visitors: 'same' },
] as const;

print(
  '| database | load | answers a second | of a bare server | least and most of the rounds | by computing time | p99 |',
);
print('| --- | --- | --- | --- | --- | --- | --- |');
for (const database of options.databases) {
  if (database === 'mariadb' && !canStartMariadb()) continue;
  await withServer({ database, options }, (serverUrl) => measureAll(database, serverUrl));
}

async function measureAll(database: DatabaseName, serverUrl: string): Promise<void> {
  const { databaseUrl, store } = await openOutboxSite({ database, serverUrl, folder, name: 'banner_tracking' });
  await addBanner(store);
  const hcd = await start('tracking', [join(root, 'bin/hcd'), 'serve', '--port', '0'], {
    ...{ HCD_DATABASE_URL: databaseUrl, HCD_SECRET: rootSecret, NODE_ENV: 'production' },
    ...{ HCD_BANNERS_TRACK_IMPRESSIONS: '1', HCD_GATEWAY_TRUSTED_PROXIES: '127.0.0.1' },
  });
  const bare = await start('redirect', [join(compiled, 'targets/redirect.js')], {});
  /** Answers to visitors who had not been there: each must be a row. */
  const owed = { clicks: 0, impressions: 0 };
  try {
    for (const { name, path, visitors } of questions) {
      const { answers, ...measured } = await measure({ hcd, bare }, { path, visitors });
      if (visitors === 'new') owed[path === '/bannerclick/1' ? 'clicks' : 'impressions'] += answers;
      row({ database, name, ...measured });
    }
  } finally {
    // Drains: what waits is written.
    await Promise.all([hcd.stop(), bare.stop()]);
  }
  await checkRecorded(store, owed);
  await store.close();
}

type Side = 'hcd' | 'bare';

async function measure(
  servers: Readonly<Record<Side, ServerProcess>>,
  asked: { readonly path: string; readonly visitors: 'new' | 'same' },
): Promise<Pick<Line, 'rate' | 'ratio' | 'computing' | 'p99'> & { readonly answers: number }> {
  const found: Record<Side, VisitorFigures[]> = { hcd: [], bare: [] };
  /** Answers for each second that the process computed: what other programs of the machine do is not in it. */
  const computed: Record<Side, number[]> = { hcd: [], bare: [] };
  // What is compiled at the first requests is no part of the figures.
  await loadByVisitors({ port: servers.bare.port, ...asked, seconds, connections, folder });
  const first = await loadByVisitors({ port: servers.hcd.port, ...asked, seconds, connections, folder });
  for (let round = 0; round < rounds; round += 1) {
    for (const side of orderOfRound<Side>(['hcd', 'bare'], round)) {
      servers[side].emptyLog();
      const before = servers[side].cpuSeconds() ?? Number.NaN;
      const figures = await loadByVisitors({ port: servers[side].port, ...asked, seconds, connections, folder });
      computed[side].push(figures.answers / ((servers[side].cpuSeconds() ?? Number.NaN) - before));
      if (figures.bad > 0) throw new Error(`${side} gave ${figures.bad} bad answers`);
      found[side].push(figures);
    }
  }
  const rates = (side: Side) => found[side].map(({ rate }) => rate);
  return {
    answers: [first, ...found.hcd].reduce((sum, { answers }) => sum + answers, 0),
    rate: spreadOf(rates('hcd')),
    ratio: ratiosOf(rates('hcd'), rates('bare')),
    computing: ratiosOf(computed.hcd, computed.bare),
    p99: spreadOf(found.hcd.map(({ p99Ms }) => p99Ms)),
  };
}

function start(name: string, args: readonly string[], env: Readonly<Record<string, string>>): Promise<ServerProcess> {
  const command = [...(options.isPinned ? pinTo(0) : []), process.execPath, ...args];
  return startServerProcess({ command, env, cwd: folder, logFile: join(folder, `${name}.log`) });
}

async function addBanner({ own }: Store): Promise<void> {
  await own.write(async (tx) => {
    for (const sql of [
      "INSERT INTO hcd_ads (id, name, url, created_on, edited_on) VALUES (1, 'bench', 'https://shop.example/spring?a=1', 1, 1)",
      "INSERT INTO hcd_ad_positions (id, name, created_on, edited_on) VALUES (1, 'bench', 1, 1)",
      'INSERT INTO hcd_ad_links (id, ad, position) VALUES (1, 1, 1)',
    ]) {
      await tx.run({ sql, params: [] });
    }
  });
}

/** Figures of a server that loses events would be worth nothing. */
async function checkRecorded(
  { own }: Store,
  owed: { readonly clicks: number; readonly impressions: number },
): Promise<void> {
  const ask = async (sql: string) => (await own.primary.select({ sql, params: [] }))[0]?.map(Number) ?? [];
  const [clicks = 0, impressions = 0] = await ask('SELECT SUM(clicks), SUM(impressions) FROM hcd_ad_days');
  const [clickRows] = await ask('SELECT COUNT(*) FROM hcd_ad_clicks');
  const [impressionRows] = await ask('SELECT COUNT(*) FROM hcd_ad_impressions');
  if (clicks !== clickRows || impressions !== impressionRows) throw new Error('sums and rows differ');
  if (clicks < owed.clicks || impressions < owed.impressions) {
    throw new Error(`${owed.clicks} clicks and ${owed.impressions} impressions were answered, fewer were recorded`);
  }
  process.stderr.write(`${clicks} clicks and ${impressions} impressions were recorded\n`);
}

interface Line {
  readonly database: DatabaseName;
  readonly name: string;
  readonly rate: Spread;
  readonly ratio: Spread;
  readonly computing: Spread;
  readonly p99: Spread;
}

function row({ database, name, rate, ratio, computing, p99 }: Line): void {
  const spread = `${ratio.least.toFixed(2)} to ${ratio.most.toFixed(2)}`;
  print(
    `| ${database} | ${name} | ${rate.median.toFixed(0)} | ${ratio.median.toFixed(2)} | ${spread} | ${computing.median.toFixed(2)} | ${p99.median.toFixed(1)} ms |`,
  );
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
