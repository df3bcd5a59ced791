/** The process as one run of the program sees it; only `processHost` touches the real one. */
import { existsSync, readFileSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { type Clock, systemClock } from '../src/clock/clock.js';
import type { Environment } from '../src/config/definitions.js';
import type { OpenStoreOptions, Store } from '../src/store/open/open.js';
import { Interrupted } from './exit-codes.js';

export const programVersion = readVersion();

/** One folder above the sources, two above the compiled files. */
function readVersion(): string {
  const places = ['../package.json', '../../package.json'].map((place) => new URL(place, import.meta.url));
  const place = places.find((candidate) => existsSync(candidate));
  if (place === undefined) throw new Error('package.json of the program is missing');
  return JSON.parse(readFileSync(place, 'utf8')).version;
}

export interface Place {
  readonly host: string;
  readonly port: number;
}

/** How audit logs and histories name who ran a command. */
export type WriterName = 'cli' | 'studio';

type OpenStore = (options: OpenStoreOptions) => Promise<Store>;

export interface Host {
  readonly streams: Streams;
  readonly env: Environment;
  readonly cwd: string;
  readonly clock: Clock;
  readonly openStore: OpenStore;
  readonly canListen: (place: Place) => Promise<boolean>;
  /** On the first SIGINT or SIGTERM, with an Interrupted as reason. */
  readonly stop: AbortSignal;
  readonly writer: WriterName;
}

/** `release` also ends a process whose output has no reader that takes it: Node would wait for that reader. */
export function processHost(): { readonly host: Host; readonly release: () => void } {
  const controller = new AbortController();
  const release = (): void => {
    process.removeListener('SIGINT', stop);
    process.removeListener('SIGTERM', stop);
  };
  const stop = (signal: 'SIGINT' | 'SIGTERM'): void => {
    // A second signal ends the process at once.
    release();
    controller.abort(new Interrupted(signal));
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  const end = (): void => {
    release();
    if (process.stdout.writableLength + process.stderr.writableLength > 0) process.exit();
  };
  const host: Host = {
    streams: { stdin: process.stdin, stdout: process.stdout, stderr: process.stderr },
    env: process.env,
    cwd: process.cwd(),
    clock: systemClock,
    // The database layer takes longer to load than most commands take to run.
    openStore: async (options) => (await import('../src/store/open/open.js')).openStore(options),
    canListen,
    stop: controller.signal,
    writer: 'cli',
  };
  return { host, release: end };
}

/** Node would print an error that nothing catches as several lines of text. */
export function endOnCrash(report: (error: unknown) => void): void {
  process.on('uncaughtException', (error) => {
    report(error);
    process.exit(70);
  });
}

export function aborted(signal: AbortSignal, until?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true, ...(until && { signal: until }) });
  });
}

/** False where another program listens, or the port may not be used; other errors are left to the server. */
async function canListen({ host, port }: Place): Promise<boolean> {
  const { createServer } = await import('node:net');
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) =>
      resolve(error.code !== 'EADDRINUSE' && error.code !== 'EACCES'),
    );
    probe.listen({ host, port }, () => probe.close(() => resolve(true)));
  });
}

export interface Streams {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
}

export type OutputStream = Writable & { readonly isTTY?: boolean; readonly columns?: number };

/** How far the memory of a long command may grow between collections of garbage. */
export function limitHeapGrowth(percent: number): void {
  setFlagsFromString(`--heap-growing-percent=${percent}`);
}
