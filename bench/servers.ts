/** Server processes of a run: started on one core, ready when they say so, ended with the bench. */
import { type ChildProcess, spawn } from 'node:child_process';
import { accessSync, closeSync, constants, openSync, readdirSync, readFileSync, truncateSync } from 'node:fs';
import { delimiter, join } from 'node:path';

export interface ServerProcess {
  /** 0 of a process that listens nowhere. */
  readonly port: number;
  /** Seconds on a processor of the process and its children so far. */
  cpuSeconds(): number;
  /** Resident memory in MiB. */
  memory(): number;
  /** Throws an Error with the last lines of the log when the process has ended by itself. */
  checkRunning(): void;
  emptyLog(): void;
  stop(): Promise<void>;
}

export interface ServerCommand {
  /** Arguments of Node.js. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** File that gets what the server writes to standard error. */
  readonly logFile: string;
  /** What a process without a port says when it is ready. */
  readonly ready?: RegExp;
}

const startLimitMs = 60_000;
const lookMs = 20;
const running = new Set<ChildProcess>();

/** Starts the server on core 0, where cores can be chosen. */
export async function startServer({ args, env, cwd, logFile, ready }: ServerCommand): Promise<ServerProcess> {
  const [file = '', ...words] = [...pinTo(0), process.execPath, ...args];
  closeSync(openSync(logFile, 'w'));
  // Appending, so that emptying the file in between leaves no hole.
  const log = openSync(logFile, 'a');
  const child = spawn(file, words, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'ignore', log] });
  closeSync(log);
  endWithUs(child);
  const lastLines = () => readFileSync(logFile, 'utf8').slice(-2000);
  const port = await portOf(child, { logFile, ready });
  return {
    port,
    cpuSeconds: () => cpuOf(child.pid, ...childrenOf(child.pid)),
    memory: () => Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024,
    checkRunning() {
      if (!hasEnded(child)) return;
      throw new Error(`${child.spawnargs.join(' ')} ended with ${child.exitCode ?? child.signalCode}:\n${lastLines()}`);
    },
    emptyLog: () => truncateSync(logFile),
    stop: () => end(child),
  };
}

async function portOf(
  child: ChildProcess,
  { logFile, ready }: { readonly logFile: string; readonly ready: RegExp | undefined },
): Promise<number> {
  for (let waited = 0; waited < startLimitMs; waited += lookMs) {
    const said = readFileSync(logFile, 'utf8');
    const found = /listening on http:\/\/[^\s"]*:(\d+)/.exec(said)?.[1];
    if (found !== undefined) return Number(found);
    if (ready?.test(said) === true) return 0;
    if (hasEnded(child)) throw new Error(`${child.spawnargs.join(' ')} ended:\n${said.slice(-2000)}`);
    await pause(lookMs);
  }
  child.kill('SIGKILL');
  throw new Error(`${child.spawnargs.join(' ')} was not ready within ${startLimitMs / 1000} s`);
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

/** Ends the process, and waits for its end. */
export async function end(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await gone;
}

/** Ends the process with this one, however this one ends (but by SIGKILL). */
export function endWithUs(child: ChildProcess): void {
  if (running.size === 0) process.on('exit', endAll);
  running.add(child);
  child.once('exit', () => running.delete(child));
}

/** Without a listener a signal would end this process before its `exit` event. */
export function endOnSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
}

function endAll(): void {
  for (const child of running) child.kill('SIGTERM');
}

export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** Of all threads that are alive, from the scheduler of Linux: /proc/PID/stat has hundredths only. */
export function cpuOf(...pids: (number | undefined)[]): number {
  const threads = pids.flatMap((pid) =>
    readdirSync(`/proc/${pid}/task`).map((thread) => `/proc/${pid}/task/${thread}`),
  );
  return threads.reduce((sum, thread) => {
    const [nanoseconds] = readFileSync(`${thread}/schedstat`, 'utf8').split(' ');
    return sum + Number(nanoseconds) / 1e9;
  }, 0);
}

function childrenOf(pid: number | undefined): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
}

/** Path of the program, also where system programs live outside PATH; undefined when absent. */
export function findProgram(name: string): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin', '/usr/bin'];
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Words to put in front of a command line to keep it on one core; none where cores cannot be chosen. */
export function pinTo(core: number): readonly string[] {
  const taskset = findProgram('taskset');
  return taskset === undefined ? [] : [taskset, '-c', String(core)];
}
