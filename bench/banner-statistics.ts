/** `npm run bench:banners-stats`: what many events cost the statistics of banners, and what a large export takes. */
import { mkdir, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { systemClock } from '../src/clock/clock.js';
import { generateEvents, siteUrl } from './banner-statistics/generate-events.js';
import { endOnSignals } from './children.js';
import { spreadOf } from './figures.js';
import type { DatabaseName } from './generate.js';
import { canStartMariadb, startBenchMariadb } from './mariadb-server.js';
import { type ServerProcess, startServerProcess } from './processes.js';

endOnSignals();
const { values } = parseArgs({
  strict: true,
  options: {
    databases: { type: 'string', default: 'sqlite,mariadb' },
    clicks: { type: 'string', default: '10000,10000000' },
    impressions: { type: 'string', default: '50000,50000000' },
    exported: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '7' },
    folder: { type: 'string', default: process.env['BENCH_DIR'] ?? join(tmpdir(), 'hcd-bench-banners') },
    // Leaves the sites in the folder, for a next run with --reuse.
    keep: { type: 'boolean', default: false },
    reuse: { type: 'boolean', default: false },
  },
});
const numbers = (text: string): number[] => text.split(',').map(Number);
const { folder } = values;
const rounds = Number(values.rounds);
const clicks = numbers(values.clicks);
const impressions = numbers(values.impressions);
const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const key = 'key-for-the-bench-of-banners';
const questions = [
  ['/stats this_month', 'route=/stats&period=this_month'],
  ['/stats all', 'route=/stats'],
  ['/stats all, one position', 'route=/stats&position=3'],
  ['/stats from an hour to an hour', 'hours'],
  ['/stats/compare', 'route=/stats/compare'],
  ['/stats/referrers this_month', 'route=/stats/referrers&period=this_month'],
  ['/stats/referrers all', 'route=/stats/referrers'],
  ['/ads with counters', 'route=/ads'],
] as const;

await mkdir(folder, { recursive: true });
print('| database | question | ms at each size | time against the smallest |');
print('| --- | --- | --- | --- |');
try {
  for (const database of ['sqlite', 'mariadb'] as const) {
    if (!values.databases.split(',').includes(database)) continue;
    if (database === 'mariadb' && !canStartMariadb()) continue;
    await measureDatabase(database);
  }
} finally {
  if (!values.keep) await rm(folder, { recursive: true, force: true });
}

async function measureDatabase(database: DatabaseName): Promise<void> {
  const server = database === 'mariadb' ? await startBenchMariadb(join(folder, 'mariadb'), []) : null;
  const sites: ServerProcess[] = [];
  let largestUrl = '';
  try {
    const now = systemClock.now();
    for (const [index, count] of clicks.entries()) {
      const began = systemClock.elapsed();
      const site = {
        ...{ database, serverUrl: server?.url ?? '', folder, name: `banners_${index}`, now },
        ...{ clicks: count, impressions: impressions[index] ?? 0 },
      };
      const databaseUrl = values.reuse ? siteUrl(site) : await generateEvents(site);
      process.stderr.write(
        `${database}: ${count} clicks made in ${((systemClock.elapsed() - began) / 1000).toFixed(0)} s\n`,
      );
      largestUrl = databaseUrl;
      sites.push(await serve(databaseUrl, `${database}-${index}`));
    }
    await measureQuestions(database, sites);
    // A process of its own, so that its memory is that of the export.
    const exporting = await serve(largestUrl, `${database}-export`);
    sites.push(exporting);
    await measureExport(database, exporting);
  } finally {
    await Promise.all(sites.map((site) => site.stop()));
    await server?.stop();
  }
}

function serve(databaseUrl: string, name: string): Promise<ServerProcess> {
  return startServerProcess({
    command: [process.execPath, join(root, 'bin/hcd'), 'serve', 'banners', '--port', '0'],
    env: {
      ...{ NODE_ENV: 'production', HCD_DATABASE_URL: databaseUrl, HCD_SECRET: 'a root secret for the bench' },
      ...{ HCD_BANNERS_API_ENABLED: '1', HCD_BANNERS_API_KEY: key },
    },
    cwd: folder,
    logFile: join(folder, `${name}.log`),
  });
}

/** The sites in turn, so that a slow moment hits all of them. */
async function measureQuestions(database: DatabaseName, sites: readonly ServerProcess[]): Promise<void> {
  for (const [name, query] of questions) {
    const times = sites.map((): number[] => []);
    let failure = '';
    for (let round = 0; round <= rounds && failure === ''; round += 1) {
      for (const [index, site] of sites.entries()) {
        const began = systemClock.elapsed();
        const { status } = await ask(site, query === 'hours' ? hours() : query);
        if (status !== 200) failure = `status ${status} at ${clicks[index]} clicks`;
        // The first one fills caches.
        if (round > 0) times[index]?.push(systemClock.elapsed() - began);
      }
    }
    const medians = times.map((list) => spreadOf(list).median);
    const ratio = (medians.at(-1) ?? Number.NaN) / (medians[0] ?? Number.NaN);
    const shown =
      failure === ''
        ? `${medians.map((value) => value.toFixed(1)).join(' / ')} | ${ratio.toFixed(2)}`
        : `${failure} | –`;
    print(`| ${database} | ${name} | ${shown} |`);
  }
}

/** Thirty days that begin and end within a day. */
function hours(): string {
  const text = (ms: number): string => new Date(ms).toISOString().slice(0, 16);
  const now = systemClock.now();
  return `route=/stats&from=${text(now - 30 * 86_400_000)}&to=${text(now)}`;
}

async function measureExport(database: DatabaseName, site: ServerProcess): Promise<void> {
  // So many of the clicks as a share of the days that they are spread over.
  const share = Math.min(1, Number(values.exported) / (clicks.at(-1) ?? 1));
  const from = new Date(systemClock.now() - share * 400 * 86_400_000).toISOString().slice(0, 19);
  const before = site.memory()?.now ?? Number.NaN;
  const began = systemClock.elapsed();
  const { status, lines, bytes } = await ask(site, `route=/stats/export&type=clicks&from=${from}`);
  const seconds = (systemClock.elapsed() - began) / 1000;
  if (status !== 200) throw new Error(`the export answered ${status}`);
  const memory = site.memory();
  print(
    `| ${database} | export of ${lines} lines, ${(bytes / 1_048_576).toFixed(0)} MiB | ${(seconds * 1000).toFixed(0)} | |`,
  );
  print(
    `| ${database} | resident memory before, after, at most, MiB | ${before.toFixed(0)}, ${memory?.now.toFixed(0)}, ${memory?.peak.toFixed(0)} | |`,
  );
}

interface Asked {
  readonly status: number;
  readonly lines: number;
  readonly bytes: number;
}

/** Reads the whole answer and keeps none of it. */
function ask(site: ServerProcess, query: string): Promise<Asked> {
  site.checkRunning();
  return new Promise((resolve, reject) => {
    const asked = request(
      {
        ...{ host: '127.0.0.1', port: site.port, path: `/banners/api.php?${query}` },
        headers: { 'X-API-Key': key },
      },
      (response) => {
        let lines = 0;
        let bytes = 0;
        response.on('error', reject);
        response.on('data', (chunk: Buffer) => {
          bytes += chunk.length;
          for (const byte of chunk) if (byte === 10) lines += 1;
        });
        response.on('end', () => resolve({ status: response.statusCode ?? 0, lines, bytes }));
      },
    );
    asked.on('error', reject);
    asked.end();
  });
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
