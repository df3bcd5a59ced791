/** `npm run bench:credentials`: what a gateway read costs with a credential, against the same read without one; cache off. */
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { endOnSignals } from './children.js';
import { type Callers, makeCallers } from './credentials/callers.js';
import { orderOfRound, ratiosOf, type Spread } from './figures.js';
import { pinTo } from './find-program.js';
import { type DatabaseName, provideSite } from './generate.js';
import { bestClient, load } from './load.js';
import { canStartMariadb } from './mariadb-server.js';
import { readOptions } from './options.js';
import { type ServerProcess, startServerProcess } from './processes.js';
import { basePath, rootSecret, siteSettings } from './record.js';
import { withServer } from './run.js';
import { chooseScenarios, type Scenario } from './scenarios.js';

/** One round of one caller: answers a second, and the processor time that the server took for an answer. */
interface Round {
  readonly rate: number;
  readonly cpuPerAnswer: number;
  readonly bad: number;
}

const anonymous = 'anonymous';

endOnSignals();
const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const options = readOptions(['--rows', '1000', ...process.argv.slice(2)], bestClient());
const { folder, rounds } = options;
const scenarios = chooseScenarios(options.scenarios.length > 0 ? options.scenarios : ['read', 'page', 'children']);
await mkdir(folder, { recursive: true });
print(
  '| database | read | caller | processor time to anonymous | all rounds | time of an answer to anonymous | all rounds |',
);
print('| --- | --- | --- | --- | --- | --- | --- |');
for (const database of options.databases) {
  if (database === 'mariadb' && !canStartMariadb()) continue;
  await withServer({ database, options }, async (serverUrl) => {
    for (const count of options.rows) await measureAll(database, { serverUrl, count });
  });
}

async function measureAll(
  database: DatabaseName,
  { serverUrl, count }: { readonly serverUrl: string; readonly count: number },
): Promise<void> {
  const say = (text: string) => void process.stderr.write(`${text}\n`);
  const databaseUrl = await provideSite({ database, count, folder, serverUrl, say });
  const hcd = await startServerProcess({
    command: [...pinTo(0), process.execPath, join(root, 'bin/hcd'), 'serve', 'gateway', '--port', '0'],
    env: {
      NODE_ENV: 'production',
      HCD_DATABASE_URL: databaseUrl,
      HCD_SECRET: rootSecret,
      ...siteSettings,
      HCD_GATEWAY_CACHE_ENABLED: '0',
      HCD_GATEWAY_OAUTH_ENABLED: '1',
    },
    cwd: folder,
    logFile: join(folder, `credentials-${database}.log`),
  });
  try {
    const callers = await makeCallers({ databaseUrl, port: hcd.port });
    for (const scenario of scenarios) await measure(scenario, { database, hcd, callers, count });
  } finally {
    await hcd.stop();
  }
}

interface Measurement {
  readonly database: DatabaseName;
  readonly hcd: ServerProcess;
  readonly callers: Callers;
  readonly count: number;
}

async function measure(scenario: Scenario, { database, hcd, callers, count }: Measurement): Promise<void> {
  const paths = scenario.paths(count).map((path) => `${basePath}${path}`);
  const all = new Map<string, Readonly<Record<string, string>>>([[anonymous, {}], ...callers]);
  const results = new Map<string, Round[]>([...all.keys()].map((name) => [name, []]));
  const run = async (name: string, seconds: number): Promise<Round> => {
    hcd.checkRunning();
    const before = hcd.cpuSeconds() ?? Number.NaN;
    const { rate, answers, bad } = await load({
      ...{ ...options, port: hcd.port, paths, seconds },
      headers: all.get(name) ?? {},
    });
    return { rate, bad, cpuPerAnswer: ((hcd.cpuSeconds() ?? Number.NaN) - before) / answers };
  };
  for (const name of all.keys()) await run(name, options.warmUp);
  for (let round = 0; round < rounds; round += 1) {
    for (const name of orderOfRound([...all.keys()], round)) results.get(name)?.push(await run(name, options.seconds));
  }
  hcd.emptyLog();
  const of = (name: string, figure: (round: Round) => number) => (results.get(name) ?? []).map(figure);
  for (const name of callers.keys()) {
    const cpu = ratiosOf(
      of(name, ({ cpuPerAnswer }) => cpuPerAnswer),
      of(anonymous, ({ cpuPerAnswer }) => cpuPerAnswer),
    );
    // The time of an answer is the inverse of the rate.
    const time = ratiosOf(
      of(anonymous, ({ rate }) => rate),
      of(name, ({ rate }) => rate),
    );
    const bad = of(name, (round) => round.bad).reduce((sum, one) => sum + one, 0);
    const title = bad > 0 ? `${name} (${bad} bad answers)` : name;
    print(`| ${database} | ${scenario.title} | ${title} | ${show(cpu)} | ${show(time)} |`);
  }
}

function show({ median, least, most }: Spread): string {
  return `${median.toFixed(2)} | ${least.toFixed(2)} to ${most.toFixed(2)}`;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
