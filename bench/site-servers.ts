/** All servers of one generated site: the program with its cache off and on, and the two yardsticks. */
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pinTo } from './find-program.js';
import { type ServerProcess, startServerProcess } from './processes.js';
import { fetchBytes, openRecorder, rootSecret, siteSettings, type Variant } from './record.js';
import type { Scenario } from './scenarios.js';
import type { TargetFile } from './targets/answers.js';

export const kinds = ['hcd', 'cached', 'bytes', 'driver'] as const;
export type Kind = (typeof kinds)[number];

export interface SiteServers {
  readonly count: number;
  readonly servers: Readonly<Record<Kind, ServerProcess>>;
  /** Scenarios that are measured at this size, with their recorded variants. */
  readonly recorded: ReadonlyMap<Scenario, readonly Variant[]>;
  stop(): Promise<void>;
}

export interface SiteServersOptions {
  readonly count: number;
  readonly databaseUrl: string;
  readonly scenarios: readonly Scenario[];
  /** Folder for logs and the file that the yardsticks read. */
  readonly folder: string;
}

const compiled = dirname(fileURLToPath(import.meta.url));
/** Of the package: two levels above the compiled bench. */
const root = join(compiled, '../..');

/** Records every scenario, starts the servers on core 0 and checks that they answer alike. */
export async function startSiteServers(options: SiteServersOptions): Promise<SiteServers> {
  const { count, databaseUrl, folder } = options;
  const recorded = await recordAll(options);
  const targetFile = join(folder, `answers-${count}.json`);
  await writeFile(targetFile, JSON.stringify(toTargetFile(databaseUrl, recorded)));
  const started: ServerProcess[] = [];
  const stop = async () => {
    await Promise.all(started.map((server) => server.stop()));
  };
  const start = async (kind: Kind, args: readonly string[], env: Readonly<Record<string, string>> = {}) => {
    const server = await startServerProcess({
      command: [...pinTo(0), process.execPath, ...args],
      env: { NODE_ENV: 'production', ...env },
      cwd: folder,
      logFile: join(folder, `${kind}-${count}.log`),
    });
    started.push(server);
    return server;
  };
  const program = [join(root, 'bin/hcd'), 'serve', 'gateway', '--port', '0'];
  const env = { HCD_DATABASE_URL: databaseUrl, HCD_SECRET: rootSecret, ...siteSettings };
  try {
    const servers = {
      hcd: await start('hcd', program, { ...env, HCD_GATEWAY_CACHE_ENABLED: '0' }),
      cached: await start('cached', program, { ...env, HCD_GATEWAY_CACHE_ENABLED: '1' }),
      bytes: await start('bytes', [join(compiled, 'targets/bytes.js'), targetFile]),
      driver: await start('driver', [join(compiled, 'targets/driver.js'), targetFile]),
    };
    await checkAnswers({ servers, recorded });
    return { count, servers, recorded, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Throws an Error unless every server answers 200, and all but the driver's with the very bytes that were recorded. */
export async function checkAnswers(site: Pick<SiteServers, 'servers' | 'recorded'>): Promise<void> {
  for (const { path, body } of [...site.recorded.values()].flat()) {
    for (const kind of kinds) {
      const answered = await fetchBytes(site.servers[kind].port, path);
      if (kind === 'driver' ? answered.length < 10 : !answered.equals(body)) {
        throw new Error(`${kind} answered ${path} with ${answered.length} bytes; ${body.length} were recorded`);
      }
    }
  }
}

async function recordAll({ databaseUrl, scenarios, count }: SiteServersOptions): Promise<SiteServers['recorded']> {
  const recorder = await openRecorder(databaseUrl);
  try {
    const recorded = new Map<Scenario, readonly Variant[]>();
    for (const scenario of scenarios) {
      if (count > (scenario.most ?? count)) continue;
      recorded.set(scenario, await recorder.record(scenario, count));
    }
    return recorded;
  } finally {
    await recorder.close();
  }
}

/** The statements of the repeated question: the program reuses totals for a few seconds, so the yardstick counts none. */
function toTargetFile(databaseUrl: string, recorded: SiteServers['recorded']): TargetFile {
  const answers = [...recorded.values()].flat().map(({ path, body, again }) => {
    return { path, body: body.toString('base64'), statements: again };
  });
  return { databaseUrl, answers };
}
