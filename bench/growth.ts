/**
 * `npm run bench:growth`: what each kind of read costs on a site of 10 million resources against one of a thousand, by
 * the processor time of the server and its database, and by its latency. Contents are short on both, so that the
 * large sites stay lean. Prints a line for each scenario.
 */
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { endOnSignals } from './children.js';
import { orderOfRound, ratiosOf, type Spread } from './figures.js';
import { pinTo } from './find-program.js';
import { type DatabaseName, provideSite } from './generate.js';
import { bestClient, type LoadResult, load } from './load.js';
import { canStartMariadb, startBenchMariadb } from './mariadb-server.js';
import { growthOptions } from './options.js';
import { cpuOf, type ServerProcess, startServerProcess } from './processes.js';
import { openRecorder, rootSecret, siteSettings } from './record.js';
import { chooseScenarios, type Scenario } from './scenarios.js';

/** What a read on the large site may cost of one on the small site. */
const bound = 1.5;
const options = growthOptions(process.argv.slice(2), bestClient());
const { folder } = options;
const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const say = (text: string): void => void process.stderr.write(`${text}\n`);
const print = (text: string): void => void process.stdout.write(`${text}\n`);

interface Site {
  readonly count: number;
  readonly server: ServerProcess;
  readonly paths: ReadonlyMap<Scenario, readonly string[]>;
}

interface Cost {
  readonly cpu: number;
  readonly p50: number;
  readonly bad: number;
}

endOnSignals();
await mkdir(folder, { recursive: true });
print('| database | read | processor time | least and most | p50 | least and most | bound 1.5 |');
print('| --- | --- | --- | --- | --- | --- | --- |');
for (const database of options.databases) {
  if (database === 'mariadb' && !canStartMariadb()) continue;
  const databaseServer =
    database === 'mariadb' ? await startBenchMariadb(join(folder, 'mariadb'), pinTo(1)) : undefined;
  const sites: Site[] = [];
  try {
    for (const count of [...options.rows].sort((a, b) => a - b)) {
      const serverUrl = databaseServer?.url ?? '';
      const databaseUrl = await provideSite({ database, count, paragraphs: 0, folder, serverUrl, say });
      sites.push(await openSite(count, databaseUrl));
    }
    for (const scenario of chooseScenarios(options.scenarios))
      await measure(scenario, { database, sites, databaseServer });
  } finally {
    await Promise.all(sites.map(({ server }) => server.stop()));
    await databaseServer?.stop();
  }
}

async function openSite(count: number, databaseUrl: string): Promise<Site> {
  say(`${count} resources: recording answers`);
  const recorder = await openRecorder(databaseUrl);
  const paths = new Map<Scenario, readonly string[]>();
  for (const scenario of chooseScenarios(options.scenarios)) {
    if (count > (scenario.most ?? count)) continue;
    try {
      paths.set(
        scenario,
        (await recorder.record(scenario, count)).map(({ path }) => path),
      );
    } catch (error) {
      say(`${scenario.name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  await recorder.close();
  const server = await startServerProcess({
    command: [...pinTo(0), process.execPath, join(root, 'bin/hcd'), 'serve', 'gateway', '--port', '0'],
    env: {
      NODE_ENV: 'production',
      HCD_DATABASE_URL: databaseUrl,
      HCD_SECRET: rootSecret,
      ...siteSettings,
      HCD_GATEWAY_CACHE_ENABLED: '0',
    },
    cwd: folder,
    logFile: join(folder, `growth-${count}.log`),
  });
  return { count, server, paths };
}

interface Measured {
  readonly database: DatabaseName;
  readonly sites: readonly Site[];
  readonly databaseServer: { readonly pid: number } | undefined;
}

async function measure(scenario: Scenario, { database, sites, databaseServer }: Measured): Promise<void> {
  const targets = sites
    .filter(({ paths }) => (paths.get(scenario)?.length ?? 0) > 0)
    .map((site) => ({ site, costs: [] as Cost[] }));
  if (targets.length < sites.length) return;
  const costOf = async (site: Site, seconds: number): Promise<Cost> => {
    const cpu = () =>
      (site.server.cpuSeconds() ?? Number.NaN) + (databaseServer ? (cpuOf(databaseServer.pid) ?? Number.NaN) : 0);
    const before = cpu();
    const paths = site.paths.get(scenario) ?? [];
    const result: LoadResult = await load({ ...options, port: site.server.port, paths, seconds });
    return { cpu: (cpu() - before) / result.answers, p50: result.p50Ms, bad: result.bad };
  };
  for (const { site } of targets) await costOf(site, options.warmUp);
  for (let round = 0; round < options.rounds; round += 1) {
    for (const { site, costs } of orderOfRound(targets, round)) costs.push(await costOf(site, options.seconds));
  }
  for (const { site } of targets) site.server.emptyLog();
  const [small, ...larger] = targets;
  for (const { site, costs } of larger) {
    const ratio = (of: (cost: Cost) => number): Spread => ratiosOf(costs.map(of), (small?.costs ?? []).map(of));
    const [cpu, p50] = [ratio((cost) => cost.cpu), ratio((cost) => cost.p50)];
    const bad = costs.reduce((sum, cost) => sum + cost.bad, 0);
    const kept = bad > 0 ? `${bad} failed` : cpu.median <= bound ? 'yes' : 'NO';
    const range = ({ least, most }: Spread) => `${least.toFixed(2)} to ${most.toFixed(2)}`;
    print(
      `| ${database}, ${site.count} | ${scenario.title} | ${cpu.median.toFixed(2)} | ${range(cpu)} | ${p50.median.toFixed(2)} | ${range(p50)} | ${kept} |`,
    );
  }
}
