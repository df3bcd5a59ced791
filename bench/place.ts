/** Where a group of rows is measured: its database, folder and servers, all of which end with it. */
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { load, type Question } from './load.js';
import { cpuOf, pause, type ServerProcess, startServer } from './servers.js';
import { type DatabaseName, emptyDatabase, rootSecret } from './site/generate.js';
import { startBenchMariadb } from './site/mariadb-server.js';
import type { BareFile } from './targets/bare.js';

/** One row of the table: what its two sides cost in a round, in microseconds. */
export interface Row {
  readonly name: string;
  own(): Promise<number>;
  other(): Promise<number>;
}

export interface Options {
  /** The other checkout, compiled. */
  readonly before: string | undefined;
  /** Numbers of the small and of the large site. */
  readonly sizes: readonly [small: number, large: number];
  /** All rounds, with those that do not count. */
  readonly rounds: number;
  readonly seconds: number;
  readonly connections: number;
  readonly workers: string;
  /** Folder that gets a profile of each server. */
  readonly profiles: string | undefined;
}

export interface Place {
  readonly database: DatabaseName;
  readonly options: Options;
  readonly folder: string;
  /** Of the private server, for MariaDB. */
  readonly serverUrl: string;
  /** Of the process of that server. */
  readonly databasePid: number | undefined;
  /** Does the work when the group is measured. */
  atEnd(work: () => Promise<void>): void;
  say(text: string): void;
}

/** Does the work with a place, whose servers end with it. */
export async function withPlace<T>(
  { database, options, folder }: Pick<Place, 'database' | 'options' | 'folder'>,
  work: (place: Place) => Promise<T>,
): Promise<T> {
  await mkdir(folder, { recursive: true });
  const server = database === 'mariadb' ? await startBenchMariadb(join(folder, 'mariadb')) : undefined;
  const ends: (() => Promise<void>)[] = [];
  try {
    return await work({
      ...{ database, options, folder, serverUrl: server?.url ?? '', databasePid: server?.pid },
      atEnd: (end) => void ends.unshift(end),
      say: (text) => void process.stderr.write(`${text}\n`),
    });
  } finally {
    for (const end of ends) await end();
    await server?.stop();
  }
}

export const checkout = fileURLToPath(new URL('../..', import.meta.url));

/** Settings of every server: requests are counted, but no caller asks more often than the limits allow. */
export const settings = Object.freeze({
  HCD_SECRET: rootSecret,
  HCD_GATEWAY_RATE_LIMIT_MAX_REQUESTS: '1000000000',
  HCD_PAGES_REST_THROTTLE_PER_MINUTE: '0',
  HCD_GATEWAY_TRUSTED_PROXIES: '127.0.0.1',
  HCD_GATEWAY_WEBHOOK_ALLOW_PRIVATE_URLS: '1',
  HCD_BANNERS_TRACK_IMPRESSIONS: '1',
  NODE_ENV: 'production',
  NO_COLOR: '1',
});
export const uncached = Object.freeze({ HCD_GATEWAY_CACHE_ENABLED: '0' });

export interface HcdCommand {
  /** Of its log. */
  readonly name: string;
  readonly databaseUrl: string;
  readonly words?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Folder of the program; this checkout when left out. */
  readonly program?: string;
  readonly ready?: RegExp;
}

/** The program as a server. */
export function startHcd(place: Place, command: HcdCommand): Promise<ServerProcess> {
  const { name, databaseUrl, words = ['serve', '--port', '0'], env = {}, program = checkout, ready } = command;
  return startOne(place, {
    name,
    args: [join(program, 'bin/hcd'), ...words],
    env: { ...settings, ...env, HCD_DATABASE_URL: databaseUrl },
    ...(ready && { ready }),
  });
}

/** The yardstick as a server. */
export async function startBare(place: Place, name: string, told: BareFile): Promise<ServerProcess> {
  const file = join(place.folder, `${name}.json`);
  await writeFile(file, JSON.stringify(told));
  const args = [fileURLToPath(new URL('targets/bare.js', import.meta.url)), file];
  return startOne(place, { name, args, env: {} });
}

interface One {
  readonly name: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly ready?: RegExp;
}

async function startOne(place: Place, { name, args, ...rest }: One): Promise<ServerProcess> {
  const { profiles } = place.options;
  const profiling = profiles === undefined ? [] : ['--cpu-prof', '--cpu-prof-dir', join(profiles, name)];
  const logFile = join(place.folder, `${name}.log`);
  const server = await startServer({ args: [...profiling, ...args], cwd: place.folder, logFile, ...rest });
  place.atEnd(server.stop);
  return server;
}

/** What a command of the program prints. */
export async function runHcd(place: Place, { databaseUrl, words = [], program = checkout }: Omit<HcdCommand, 'name'>) {
  const env = { ...process.env, ...settings, HCD_DATABASE_URL: databaseUrl };
  const run = promisify(execFile)(process.execPath, [join(program, 'bin/hcd'), ...words], { cwd: place.folder, env });
  return (await run).stdout;
}

/** The sample site of `hcd demo`, with its credentials. */
export interface SampleSite {
  readonly databaseUrl: string;
  readonly gatewayKey: string;
  readonly pageToken: string;
  readonly bannerKey: string;
}

export async function openSampleSite(place: Place, name: string, program?: string): Promise<SampleSite> {
  const databaseUrl = await emptyDatabase({ ...place, name });
  const said = await runHcd(place, { databaseUrl, words: ['demo'], ...(program && { program }) });
  const found = (pattern: RegExp): string => pattern.exec(said)?.[1] ?? '';
  return {
    databaseUrl,
    gatewayKey: found(/(gk_\w+)/),
    pageToken: found(/(pt_\w+)/),
    bannerKey: found(/banners_api_key: (\S+)/),
  };
}

/** Whom a row asks, and what. */
export interface Target {
  readonly server: ServerProcess;
  question(turn: number): Question;
}

export interface Asking {
  readonly connections?: number;
  /** Requests of a round, where seconds do not count. */
  readonly requests?: number;
  /** Milliseconds after the last answer that belong to the requests: something is written behind the answers. */
  readonly settleMs?: number | undefined;
  /** Counts the processor time of MariaDB too. */
  readonly withDatabase?: true;
}

/** A round of requests: processor time of the server for an answer. */
export function roundOf(place: Place, open: () => Promise<Target>, asking: Asking = {}): () => Promise<number> {
  const { connections = place.options.connections, requests, settleMs = 0, withDatabase } = asking;
  const lasting = requests === undefined ? { seconds: place.options.seconds } : { requests };
  const opened = once(open);
  let turn = 0;
  return async () => {
    const { server, question } = await opened();
    server.checkRunning();
    const databasePid = withDatabase ? place.databasePid : undefined;
    const computed = () => server.cpuSeconds() + (databasePid === undefined ? 0 : cpuOf(databasePid));
    const before = computed();
    const asked = { port: server.port, connections, ...lasting, question: () => question(turn++) };
    const { answers } = await load(asked);
    await pause(settleMs);
    const cost = ((computed() - before) / answers) * 1e6;
    server.emptyLog();
    return cost;
  };
}

/** The same promise at each call: what several rows share is made when the first of them is measured. */
export function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
