/** `npm run bench:pages`: published pages with their token checked, against a bare server that sends the same bytes. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { endOnSignals } from './children.js';
import { orderOfRound, ratiosOf, type Spread, spreadOf } from './figures.js';
import { pinTo } from './find-program.js';
import type { DatabaseName } from './generate.js';
import { bestClient, type LoadResult, load } from './load.js';
import { canStartMariadb } from './mariadb-server.js';
import { readOptions } from './options.js';
import { makePagesSite, type PagesSite } from './pages/pages-site.js';
import { type ServerProcess, startServerProcess } from './processes.js';
import { withServer } from './run.js';
import type { IndexedAnswers } from './targets/indexed-read.js';

interface Scenario {
  readonly title: string;
  readonly query: string;
  /** Ask for one page with its tag, so that every answer is 304. */
  readonly isConditional?: true;
}

interface Answer {
  readonly path: string;
  readonly key: number;
  readonly body: Buffer;
  readonly tag: string;
}

/** One round, with the processor time that the server took for an answer. */
interface Round extends LoadResult {
  readonly cpuPerAnswer: number;
}

interface Servers {
  readonly hcd: ServerProcess;
  readonly bare: ServerProcess;
}

const scenarios: readonly Scenario[] = [
  { title: 'document and values', query: '' },
  { title: 'html, after the first time', query: '&include=html' },
  { title: 'all four parts', query: '&include=document,values,html,sections' },
  { title: '304 for document and values', query: '', isConditional: true },
];
/** One indexed read of as much as has to be known of a page. */
const indexedRead = 'SELECT `last_published`, `is_published`, `published_on` FROM `hcd_pages` WHERE `resource_id` = ?';
const entry = '/pages/api/v1.php?path=/pages/';
const pagesOfSite = 50;

endOnSignals();
const compiled = dirname(fileURLToPath(import.meta.url));
const root = join(compiled, '../..');
const options = readOptions(process.argv.slice(2), bestClient());
const { folder, rounds } = options;
await mkdir(folder, { recursive: true });
print(
  '| database | answer | KB | p50 / p99 ms | rate to bare | all rounds | processor time: bare to ours | all rounds |',
);
print('| --- | --- | --- | --- | --- | --- | --- | --- |');
for (const database of options.databases) {
  if (database === 'mariadb' && !canStartMariadb()) continue;
  await withServer({ database, options }, (serverUrl) => measureAll(database, serverUrl));
}

async function measureAll(database: DatabaseName, serverUrl: string): Promise<void> {
  const site = await makePagesSite({ database, serverUrl, folder, name: 'pages' }, pagesOfSite);
  const hcd = await startServerProcess({
    command: [...pinTo(0), process.execPath, join(root, 'bin/hcd'), 'serve', 'pages', '--port', '0'],
    env: {
      NODE_ENV: 'production',
      HCD_DATABASE_URL: site.databaseUrl,
      HCD_SECRET: 'the root secret of the bench',
      HCD_PAGES_REST_API_ENABLED: '1',
      HCD_PAGES_REST_THROTTLE_PER_MINUTE: '0',
    },
    cwd: folder,
    logFile: join(folder, `pages-${database}.log`),
  });
  try {
    for (const scenario of scenarios) await measure({ database, site, hcd, scenario });
    const memory = hcd.memory();
    if (memory)
      print(`| ${database} | memory, MiB | | | ${memory.now.toFixed(0)} | peak ${memory.peak.toFixed(0)} | | |`);
  } finally {
    await hcd.stop();
  }
}

interface Measurement {
  readonly database: DatabaseName;
  readonly site: PagesSite;
  readonly hcd: ServerProcess;
  readonly scenario: Scenario;
}

async function measure({ database, site, hcd, scenario }: Measurement): Promise<void> {
  const all: Answer[] = [];
  for (const key of site.pages) all.push(await fetchAnswer({ site, hcd, key, query: scenario.query }));
  const answers = scenario.isConditional ? all.slice(0, 1) : all;
  const bare = await startBare(site, answers);
  try {
    const paths = answers.map(({ path }) => path);
    const tag = scenario.isConditional ? { 'If-None-Match': answers[0]?.tag ?? '' } : {};
    const headers = { Authorization: `Bearer ${site.token}`, ...tag };
    const results: Record<keyof Servers, Round[]> = { hcd: [], bare: [] };
    const servers: Servers = { hcd, bare };
    const run = async (name: keyof Servers, seconds: number): Promise<Round> => {
      const server = servers[name];
      server.checkRunning();
      const before = server.cpuSeconds() ?? Number.NaN;
      const result = await load({ ...options, port: server.port, paths, headers, seconds });
      const used = (server.cpuSeconds() ?? Number.NaN) - before;
      return { ...result, cpuPerAnswer: used / result.answers };
    };
    for (const name of ['hcd', 'bare'] as const) await run(name, options.warmUp);
    for (let round = 0; round < rounds; round += 1) {
      for (const name of orderOfRound(['hcd', 'bare'] as const, round)) {
        results[name].push(await run(name, options.seconds));
      }
    }
    const rates = (name: keyof Servers) => results[name].map(({ rate }) => rate);
    const bad = [...results.hcd, ...results.bare].reduce((sum, result) => sum + result.bad, 0);
    const bytes = spreadOf(answers.map(({ body }) => body.length)).median;
    const work = (name: keyof Servers) => results[name].map(({ cpuPerAnswer }) => cpuPerAnswer);
    const ratio = ratiosOf(rates('hcd'), rates('bare'));
    row({ database, scenario, bytes, bad, ratio, cpu: ratiosOf(work('bare'), work('hcd')), hcd: results.hcd });
    process.stderr.write(
      `${JSON.stringify({ database, scenario: scenario.title, rates: [rates('hcd'), rates('bare')] })}\n`,
    );
  } finally {
    await bare.stop();
    hcd.emptyLog();
  }
}

async function startBare(site: PagesSite, answers: readonly Answer[]): Promise<ServerProcess> {
  const file = join(folder, 'pages-answers.json');
  const told: IndexedAnswers = {
    databaseUrl: site.databaseUrl,
    sql: indexedRead,
    answers: answers.map(({ path, key, body, tag }) => ({ path, key, tag, body: body.toString('base64') })),
  };
  await writeFile(file, JSON.stringify(told));
  return startServerProcess({
    command: [...pinTo(0), process.execPath, join(compiled, 'targets/indexed-read.js'), file],
    ...{ env: { NODE_ENV: 'production' }, cwd: folder, logFile: join(folder, 'pages-bare.log') },
  });
}

interface Question {
  readonly site: PagesSite;
  readonly hcd: ServerProcess;
  readonly key: number;
  readonly query: string;
}

async function fetchAnswer({ site, hcd, key, query }: Question): Promise<Answer> {
  const path = `${entry}${key}${query}`;
  const response = await fetch(`http://127.0.0.1:${hcd.port}${path}`, {
    headers: { Authorization: `Bearer ${site.token}` },
  });
  const body = Buffer.from(await response.arrayBuffer());
  if (response.status !== 200) throw new Error(`${path} answered ${response.status}: ${body.toString()}`);
  return { path, key, body, tag: response.headers.get('etag') ?? '' };
}

interface Row {
  readonly database: DatabaseName;
  readonly scenario: Scenario;
  readonly bytes: number;
  readonly bad: number;
  readonly ratio: Spread;
  readonly cpu: Spread;
  readonly hcd: readonly LoadResult[];
}

function row({ database, scenario, bytes, bad, ratio, cpu, hcd }: Row): void {
  const title = bad > 0 ? `${scenario.title} (${bad} bad answers)` : scenario.title;
  const p50 = spreadOf(hcd.map(({ p50Ms }) => p50Ms)).median;
  const p99 = spreadOf(hcd.map(({ p99Ms }) => p99Ms)).median;
  const times = `${p50.toFixed(1)} / ${p99.toFixed(1)}`;
  print(`| ${database} | ${title} | ${(bytes / 1000).toFixed(1)} | ${times} | ${show(ratio)} | ${show(cpu)} |`);
}

function show({ median, least, most }: Spread): string {
  return `${median.toFixed(2)} | ${least.toFixed(2)} to ${most.toFixed(2)}`;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
