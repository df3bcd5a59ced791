/** One whole run: for each database all sizes at once, scenario by scenario. */
import { mkdir } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { pinTo } from './find-program.js';
import { type DatabaseName, provideSite } from './generate.js';
import { canStartMariadb, startBenchMariadb } from './mariadb-server.js';
import { type Figures, measureScenario } from './measure.js';
import type { BenchOptions } from './options.js';
import type { DatabaseReport, Memory, RunReport } from './report.js';
import { chooseScenarios } from './scenarios.js';
import { type SiteServers, startSiteServers } from './site-servers.js';

export type Say = (text: string) => void;

export async function runBench(options: BenchOptions, say: Say): Promise<RunReport> {
  await mkdir(options.folder, { recursive: true });
  const databases: DatabaseReport[] = [];
  for (const database of options.databases) {
    if (database === 'mariadb' && !canStartMariadb()) {
      say('mariadbd is not installed: MariaDB is left out');
      continue;
    }
    databases.push(
      await withServer({ database, options }, (serverUrl) => runDatabase({ database, serverUrl, options, say })),
    );
  }
  return {
    node: process.versions.node,
    cores:
      pinTo(0).length > 0
        ? 'server on one core, load and MariaDB on another'
        : `${availableParallelism()} cores, not pinned`,
    client: options.client === 'wrk' ? 'wrk' : "the bench's own client",
    rounds: options.rounds,
    seconds: options.seconds,
    connections: options.connections,
    databases,
  };
}

/** Gives the URL of a private server where the database needs one, and ends that server afterwards. */
export async function withServer<T>(
  { database, options }: { readonly database: DatabaseName; readonly options: BenchOptions },
  work: (serverUrl: string) => Promise<T>,
): Promise<T> {
  if (database === 'sqlite') return work('');
  const server = await startBenchMariadb(join(options.folder, 'mariadb'), pinTo(1));
  try {
    return await work(server.url);
  } finally {
    await server.stop();
  }
}

interface DatabaseRun {
  readonly database: DatabaseName;
  readonly serverUrl: string;
  readonly options: BenchOptions;
  readonly say: Say;
}

async function runDatabase({ database, serverUrl, options, say }: DatabaseRun): Promise<DatabaseReport> {
  const { folder } = options;
  const scenarios = chooseScenarios(options.scenarios);
  const sites: SiteServers[] = [];
  try {
    for (const count of [...options.rows].sort((a, b) => a - b)) {
      const databaseUrl = await provideSite({ database, count, folder, serverUrl, say });
      say(`${database}, ${count} resources: recording answers, starting servers`);
      sites.push(await startSiteServers({ count, databaseUrl, scenarios, folder }));
    }
    const figures: Figures[] = [];
    for (const scenario of scenarios) {
      const measured = await measureScenario(scenario, { sites, options });
      for (const row of measured) say(lineOf(database, row));
      figures.push(...measured);
    }
    return { database, figures, memory: sites.map(memoryOf) };
  } finally {
    await Promise.all(sites.map((site) => site.stop()));
  }
}

function memoryOf({ count, servers }: SiteServers): Memory {
  return { rows: count, uncached: servers.hcd.memory() ?? null, cached: servers.cached.memory() ?? null };
}

function lineOf(database: DatabaseName, row: Figures): string {
  const round = (value: number) => value.toFixed(2);
  return [
    `${database} ${row.rows} ${row.scenario}:`,
    `${row.rate.median.toFixed(0)}/s, (a) ${round(row.toBytes.median)}, (b) ${round(row.toDriver.median)},`,
    `growth ${round(row.growth.median)} (b: ${round(row.driverGrowth.median)})`,
    row.cachedToBytes ? `cached (a) ${round(row.cachedToBytes.median)}` : '',
    row.bad > 0 ? `BAD ${row.bad}` : '',
  ].join(' ');
}
