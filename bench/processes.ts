/** Server processes of a run: started on a chosen core, known to be ready by the line they print, ended afterwards. */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readdirSync, readFileSync, truncateSync } from 'node:fs';
import { endWithUs } from './children.js';

export interface ServerProcess {
  readonly port: number;
  /** Throws an Error with the reason when the process has ended by itself. */
  checkRunning(): void;
  /** Resident memory in MiB now, and the most it ever was; undefined where the system does not tell. */
  memory(): { readonly now: number; readonly peak: number } | undefined;
  /** Seconds that the process and its children have computed so far; undefined where the system does not tell. */
  cpuSeconds(): number | undefined;
  /** Throws away what was logged so far. */
  emptyLog(): void;
  stop(): Promise<void>;
}

export interface ServerCommand {
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** File that gets what the server writes to standard error. */
  readonly logFile: string;
  /** What a process without a port says when it is ready. */
  readonly ready?: RegExp;
}

const startLimitMs = 60_000;
const lookMs = 50;

export async function startServerProcess({ command, env, cwd, logFile, ready }: ServerCommand): Promise<ServerProcess> {
  const [file = '', ...args] = command;
  closeSync(openSync(logFile, 'w'));
  // Appending, so that emptying the file in between leaves no hole.
  const log = openSync(logFile, 'a');
  const child = spawn(file, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'ignore', log] });
  closeSync(log);
  endWithUs(child);
  const port = await portOf(child, { logFile, ready });
  return {
    port,
    checkRunning() {
      if (child.exitCode === null && child.signalCode === null) return;
      const said = readFileSync(logFile, 'utf8').slice(-2000);
      throw new Error(`${child.spawnargs.join(' ')} ended with ${child.exitCode ?? child.signalCode}:\n${said}`);
    },
    memory: () => memoryOf(child.pid),
    cpuSeconds: () => cpuOf(child.pid, ...childrenOf(child.pid)),
    emptyLog: () => truncateSync(logFile),
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await gone;
    },
  };
}

/** 0 of a process that says another word. */
async function portOf(
  child: ChildProcess,
  { logFile, ready }: Pick<ServerCommand, 'logFile'> & { readonly ready: RegExp | undefined },
): Promise<number> {
  let failed: Error | undefined;
  child.once('error', (error) => {
    failed = error;
  });
  for (let waited = 0; waited < startLimitMs; waited += lookMs) {
    const said = readFileSync(logFile, 'utf8');
    const found = /listening on http:\/\/[^\s"]*:(\d+)/.exec(said)?.[1];
    if (found !== undefined) return Number(found);
    if (ready?.test(said) === true) return 0;
    if (failed !== undefined) throw failed;
    if (child.exitCode !== null) throw new Error(`${child.spawnargs.join(' ')} ended:\n${said.slice(-2000)}`);
    await pause(lookMs);
  }
  child.kill('SIGKILL');
  throw new Error(`${child.spawnargs.join(' ')} was not ready within ${startLimitMs / 1000} s`);
}

export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** Seconds on a processor of all threads that are alive, from the scheduler of Linux: /proc/PID/stat has hundredths only. */
export function cpuOf(...pids: (number | undefined)[]): number | undefined {
  try {
    const threads = pids.flatMap((pid) =>
      readdirSync(`/proc/${pid}/task`).map((thread) => `/proc/${pid}/task/${thread}`),
    );
    return threads.reduce((sum, thread) => {
      const [nanoseconds] = readFileSync(`${thread}/schedstat`, 'utf8').split(' ');
      return sum + Number(nanoseconds) / 1e9;
    }, 0);
  } catch {
    return undefined;
  }
}

function childrenOf(pid: number | undefined): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

/** Resident memory of a process in MiB. */
export function memoryOf(pid: number | undefined): { now: number; peak: number } | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const read = (name: string) =>
      Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? Number.NaN) / 1024;
    return { now: read('VmRSS'), peak: read('VmHWM') };
  } catch {
    return undefined;
  }
}
