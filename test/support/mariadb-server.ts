/**
 * Private MariaDB servers for tests: own data directory, free port on 127.0.0.1, user root without a password.
 * Their data is thrown away, so they are ended with SIGKILL; a commit survives that (the log is written to the
 * operating system at each commit), which is what tests that kill their server rely on.
 */
import { type ChildProcess, type ChildProcessByStdio, execFile, spawn } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { freePort } from './free-port.js';
import { makeTempDir, removeTempDir } from './temp-dir.js';

export interface MariadbServer {
  /** `mariadb://root@127.0.0.1:PORT`, without a database name. The same after a restart. */
  readonly url: string;
  readonly port: number;
  /** SIGKILL, as a crash does; resolves when the process is gone. */
  kill(): Promise<void>;
  /** Starts it again on the same port and data, after killing it if it runs; resolves when it accepts connections. */
  restart(): Promise<void>;
  /** SIGSTOP: connections stay open and nothing answers; resolves when every thread stands still. */
  freeze(): Promise<void>;
  /** SIGCONT. */
  thaw(): void;
  /** Ends it and removes its data. */
  stop(): Promise<void>;
}

const sharedOptions = [
  '--no-defaults',
  '--innodb-log-file-size=16M',
  '--innodb-buffer-pool-size=64M',
  '--skip-name-resolve',
  ...(process.getuid?.() === 0 ? ['--user=root'] : []),
];

const serverOptions = [
  '--skip-networking=0',
  '--bind-address=127.0.0.1',
  // Killed servers must keep their commits, but no machine loses its power here: nothing waits for a disk.
  '--innodb-flush-log-at-trx-commit=2',
  '--innodb-flush-method=nosync',
  '--skip-innodb-doublewrite',
  '--debug-no-sync',
  '--character-set-server=utf8mb4',
  '--max-connections=1000',
];

/** Path of an installed program, also outside PATH where system programs live; undefined when absent. */
export function findProgram(name: string): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin', '/usr/bin'];
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

/** Whether a private server can be started on this machine. */
export function isMariadbInstalled(): boolean {
  return findProgram('mariadbd') !== undefined && findProgram('mariadb-install-db') !== undefined;
}

/** The library that makes a server a node of a Galera cluster, where Debian's package puts it. */
export const galeraProvider = '/usr/lib/galera/libgalera_smm.so';

/** Whether a private Galera cluster can be started on this machine. */
export function isGaleraInstalled(): boolean {
  const needed = ['rsync', 'setpriv'].every((name) => findProgram(name) !== undefined);
  return needed && isMariadbInstalled() && existsSync(galeraProvider);
}

/** Makes a data directory with the system tables, to be copied for each server of a run. */
export async function installMariadbData(): Promise<string> {
  const directory = await makeTempDir('mariadb-template');
  // Here, too: the servers that other programs start at this moment clear the folder that all share.
  await mkdir(join(directory, 'tmp'));
  await promisify(execFile)(requireProgram('mariadb-install-db'), [
    ...sharedOptions,
    `--datadir=${join(directory, 'data')}`,
    `--tmpdir=${join(directory, 'tmp')}`,
    '--auth-root-authentication-method=normal',
    '--skip-test-db',
  ]);
  return join(directory, 'data');
}

/** Starts a private server on a copy of `template` (made by installMariadbData). */
export async function startMariadbFrom(template: string, more: readonly string[] = []): Promise<MariadbServer> {
  const directory = await makeTempDir('mariadb');
  const data = join(directory, 'data');
  await cp(template, data, { recursive: true });
  // A server that starts clears the temporary files of its folder: those of others must not lie there.
  await mkdir(join(directory, 'tmp'));
  const port = await freePort();
  let running = await launch({ directory, data, port, more });

  return {
    url: `mariadb://root@127.0.0.1:${port}`,
    port,
    kill: () => end(running),
    async restart() {
      await end(running);
      running = await launch({ directory, data, port, more });
    },
    async freeze() {
      running.kill('SIGSTOP');
      while (!(await standsStill(running))) await new Promise((resolve) => setImmediate(resolve));
    },
    thaw: () => void running.kill('SIGCONT'),
    async stop() {
      await end(running);
      await removeTempDir(directory);
    },
  };
}

interface ServerPlace {
  readonly directory: string;
  readonly data: string;
  readonly port: number;
  readonly more: readonly string[];
}

/** Spawns mariadbd and waits for the line in which it says that it takes connections. */
function launch(place: ServerPlace): Promise<ChildProcess> {
  const program = requireProgram('mariadbd');
  const options = [
    ...sharedOptions,
    ...serverOptions,
    `--datadir=${place.data}`,
    `--tmpdir=${join(place.directory, 'tmp')}`,
    `--port=${place.port}`,
    `--socket=${join(place.directory, 'socket')}`,
    `--pid-file=${join(place.directory, 'pid')}`,
    ...place.more,
  ];
  // A test run that is itself killed must not leave servers behind: the kernel then ends them too.
  const setpriv = findProgram('setpriv');
  const child = setpriv
    ? spawn(setpriv, ['--pdeathsig', 'KILL', '--', program, ...options], { stdio: ['ignore', 'ignore', 'pipe'] })
    : spawn(program, options, { stdio: ['ignore', 'ignore', 'pipe'] });
  return onceReady(child);
}

/** Resolves with the server at the line in which it says that it takes connections. */
export function onceReady(child: ChildProcessByStdio<null, null, Readable>): Promise<ChildProcess> {
  return new Promise((resolve, reject) => {
    let said = '';
    const onExit = () => reject(new Error(`mariadbd ended before it was ready:\n${said.slice(-3000)}`));
    child.once('error', reject);
    child.once('exit', onExit);
    child.stderr.on('data', (chunk: Buffer) => {
      if (said.includes('ready for connections')) return;
      said += chunk.toString();
      if (!said.includes('ready for connections')) return;
      child.off('exit', onExit);
      resolve(child);
    });
  });
}

/** The kernel stops the threads one by one: for a moment after the signal some of them still answer. */
async function standsStill({ pid }: ChildProcess): Promise<boolean> {
  const tasks = `/proc/${pid}/task`;
  // Where the kernel does not tell, the signal has to be enough.
  const threads = await readdir(tasks).catch(() => []);
  const states = await Promise.all(
    threads.map(async (task) => {
      const stat = await readFile(join(tasks, task, 'stat'), 'utf8').catch(() => ') X');
      return stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3);
    }),
  );
  return states.every((state) => state === 'T' || state === 'X' || state === 'Z');
}

/** Kills a process that this one started, and waits until it is gone. */
export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await gone;
}

/** As findProgram, for what a group cannot do without. */
export function requireProgram(name: string): string {
  const path = findProgram(name);
  if (path === undefined) throw new Error(`${name} is not installed`);
  return path;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
