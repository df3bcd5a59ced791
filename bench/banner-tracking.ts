/** `npm run bench:tracking`: click redirects, pixels and slots against a bare server that answers the same without recording. */
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Store } from '../src/store/open/open.js';
import { endOnSignals } from './children.js';
import { ratiosOf, type Spread, spreadOf } from './figures.js';
import { findProgram, pinTo } from './find-program.js';
import type { DatabaseName } from './generate.js';
import { canStartMariadb } from './mariadb-server.js';
import { readOptions } from './options.js';
import { type ServerProcess, startServerProcess } from './processes.js';
import { fetchBytes } from './record.js';
import { withServer } from './run.js';
import { type Compared, compareInRounds, type Side } from './tracking/compare.js';
import { loadAtPace } from './tracking/paced-load.js';
import { type Flood, floods, openTrackingSite, paths } from './tracking/tracking-site.js';
import { loadByVisitors } from './tracking/visitor-load.js';

endOnSignals();
if (findProgram('wrk') === undefined) throw new Error('wrk is not installed, and only it can play many visitors');
const compiled = dirname(fileURLToPath(import.meta.url));
const program = join(compiled, '../../bin/hcd');
const options = readOptions(process.argv.slice(2), 'wrk');
const { folder, rounds, seconds, warmUp, connections } = options;
await mkdir(folder, { recursive: true });

type Kind = Exclude<keyof typeof paths, 'slots'>;

interface Pace {
  readonly name: string;
  readonly kind: Kind;
  /** Requests a second. */
  readonly rate: number;
}

/** As many a second as a large site has, and more, each a new visitor. */
const paces = [1000, 5000].flatMap((rate): Pace[] => [
  { name: `${rate} clicks a second`, kind: 'clicks', rate },
  { name: `${rate} pixels a second`, kind: 'impressions', rate },
]);
const pacedLines: string[] = [];

print(
  '| database | load | answers a second | of a bare server | least and most of the rounds | by computing time | p99 |',
);
print('| --- | --- | --- | --- | --- | --- | --- |');
for (const database of options.databases) {
  if (database === 'mariadb' && !canStartMariadb()) continue;
  await withServer({ database, options }, (serverUrl) => measureAll(database, serverUrl));
}
print(
  '\n| database | load | one answer | of the bare server | by computing time | least and most of the rounds | p99 |',
);
print('| --- | --- | --- | --- | --- | --- | --- |');
for (const line of pacedLines) print(line);

async function measureAll(database: DatabaseName, serverUrl: string): Promise<void> {
  const { env, store } = await openTrackingSite({ database, serverUrl, folder });
  const hcd = await start('tracking', [program, 'serve', '--port', '0'], env);
  const shown = (await fetchBytes(hcd.port, paths.slots)).toString();
  const bare = await start('redirect', [join(compiled, 'targets/redirect.js'), shown], {});
  /** Answers to visitors who had not been there: each must be a row. */
  const owed: Record<Kind, number> = { clicks: 0, impressions: 0 };
  try {
    for (const flood of floods.filter(({ name }) => isWanted(name))) {
      const { line, answers } = await measureFlood({ hcd, bare }, flood);
      if (flood.visitors === 'new' && flood.kind !== 'slots') owed[flood.kind] += answers;
      print(`| ${database} ${line}`);
    }
    for (const pace of paces.filter(({ name }) => isWanted(name))) {
      const { line, answers } = await measurePace({ hcd, bare }, pace);
      owed[pace.kind] += answers;
      pacedLines.push(`| ${database} ${line}`);
    }
  } finally {
    // Drains: what waits is written.
    await Promise.all([hcd.stop(), bare.stop()]);
  }
  await checkRecorded(store, owed);
  await store.close();
}

interface MeasuredLine {
  /** Cells of the table behind the database. */
  readonly line: string;
  readonly answers: number;
}

type Servers = Readonly<Record<Side, ServerProcess>>;

async function measureFlood(servers: Servers, { name, kind, visitors }: Flood): Promise<MeasuredLine> {
  const load = (port: number, lasting: number) =>
    loadByVisitors({ port, path: paths[kind], visitors, seconds: lasting, connections, folder });
  const { rounds: found, answers } = await compareInRounds({ servers, rounds, seconds, warmUp, load });
  const rates = (side: Side) => found[side].map(({ figures }) => figures.rate);
  const ratio = ratiosOf(rates('hcd'), rates('bare'));
  const p99 = spreadOf(found.hcd.map(({ figures }) => figures.p99Ms));
  const cells = [
    ...[name, spreadOf(rates('hcd')).median.toFixed(0), ratio.median.toFixed(2), rangeOf(ratio)],
    ...[computingOf(found).median.toFixed(2), `${p99.median.toFixed(1)} ms`],
  ];
  return { line: `| ${cells.join(' | ')} |`, answers };
}

async function measurePace(servers: Servers, { name, kind, rate }: Pace): Promise<MeasuredLine> {
  const load = (port: number, lasting: number) =>
    loadAtPace({ port, path: paths[kind], rate, seconds: lasting, connections });
  // Twice as long: computing time comes in hundredths of a second.
  const { rounds: found, answers } = await compareInRounds({ servers, rounds, seconds: 2 * seconds, warmUp, load });
  const computed = (side: Side) => spreadOf(found[side].map((round) => round.computed)).median;
  const ratio = computingOf(found);
  const p99 = spreadOf(found.hcd.map(({ figures }) => figures.p99Ms));
  const cells = [
    ...[name, `${computed('hcd').toFixed(0)} µs`, `${computed('bare').toFixed(0)} µs`, ratio.median.toFixed(2)],
    ...[rangeOf(ratio), `${p99.median.toFixed(1)} ms`],
  ];
  return { line: `| ${cells.join(' | ')} |`, answers };
}

/** What the bare server computes for an answer against what the program does. */
function computingOf(found: Compared<unknown>['rounds']): Spread {
  const of = (side: Side) => found[side].map(({ computed }) => computed);
  return ratiosOf(of('bare'), of('hcd'));
}

function rangeOf({ least, most }: Spread): string {
  return `${least.toFixed(2)} to ${most.toFixed(2)}`;
}

/** `--scenarios` names the loads; without it all are measured. */
function isWanted(name: string): boolean {
  return options.scenarios.length === 0 || options.scenarios.includes(name);
}

function start(name: string, args: readonly string[], env: Readonly<Record<string, string>>): Promise<ServerProcess> {
  const command = [...(options.isPinned ? pinTo(0) : []), process.execPath, ...args];
  return startServerProcess({ command, env, cwd: folder, logFile: join(folder, `${name}.log`) });
}

/** Figures of a server that loses events would be worth nothing. */
async function checkRecorded({ own }: Store, owed: Readonly<Record<Kind, number>>): Promise<void> {
  const ask = async (sql: string) => (await own.primary.select({ sql, params: [] }))[0]?.map(Number) ?? [];
  const [clickSum = 0, impressionSum = 0] = await ask('SELECT SUM(clicks), SUM(impressions) FROM hcd_ad_days');
  const [clickRows] = await ask('SELECT COUNT(*) FROM hcd_ad_clicks');
  const [impressionRows] = await ask('SELECT COUNT(*) FROM hcd_ad_impressions');
  if (clickSum !== clickRows || impressionSum !== impressionRows) throw new Error('sums and rows differ');
  if (clickSum < owed.clicks || impressionSum < owed.impressions) {
    throw new Error(`${owed.clicks} clicks and ${owed.impressions} impressions were answered, fewer were recorded`);
  }
  process.stderr.write(`${clickSum} clicks and ${impressionSum} impressions were recorded\n`);
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
