/** Runs the command line: in this process with captured streams, or as a process through bin/hcd. */
import { spawn } from 'node:child_process';
import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Host } from '../../commands/host.js';
import { main } from '../../commands/main.js';
import type { Program } from '../../commands/program.js';
import type { Clock } from '../../src/clock/clock.js';
import { atFileEnd } from './at-file-end.js';
import { fakeClock } from './clock.js';

export interface CliOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Input; with `terminal` it is typed when a question appears. */
  readonly stdin?: string;
  /** All three streams are a terminal of this many columns. Default: pipes. */
  readonly terminal?: { readonly columns: number };
  readonly clock?: Clock;
  readonly openStore?: Host['openStore'];
  readonly canListen?: Host['canListen'];
  readonly stop?: AbortSignal;
  readonly program?: Program;
}

export interface CliOutcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Splits a line as a shell would: on spaces, with single and double quotes. */
export function splitLine(line: string): string[] {
  return [...line.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g)].map(([word]) => word.replace(/["']/g, ''));
}

/** One run in this process; nothing of the real environment shows through. */
export async function runCli(line: string | readonly string[], options: CliOptions = {}): Promise<CliOutcome> {
  const captured = { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() };
  const { columns } = options.terminal ?? {};
  if (columns !== undefined) {
    // Libraries end the output that they are given, which does nothing to the streams of a real terminal.
    for (const stream of Object.values(captured)) Object.assign(stream, { isTTY: true, columns, end: () => stream });
  }
  const output = { stdout: collect(captured.stdout), stderr: collect(captured.stderr) };
  if (columns === undefined) captured.stdin.end(options.stdin ?? '');
  // Keys that come before the question are thrown away, as on a real terminal.
  else captured.stderr.once('data', () => setImmediate(() => captured.stdin.write(options.stdin ?? '')));
  const words = typeof line === 'string' ? splitLine(line) : line;
  const code = await main(words, hostFor(captured, options), options.program);
  return { code, stdout: output.stdout(), stderr: output.stderr() };
}

function hostFor(streams: Host['streams'], options: CliOptions): Host {
  return {
    streams,
    env: options.env ?? {},
    cwd: options.cwd ?? '/nowhere',
    clock: options.clock ?? fakeClock(),
    openStore: options.openStore ?? (() => Promise.reject(new Error('this test opens no store'))),
    canListen: options.canListen ?? (async () => true),
    stop: options.stop ?? new AbortController().signal,
    writer: 'cli',
  };
}

function collect(stream: PassThrough): () => string {
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  return () => Buffer.concat(chunks).toString('utf8');
}

const binary = fileURLToPath(new URL('../../bin/hcd', import.meta.url));

export interface CliProcess {
  readonly pid: number;
  /** Ends with the exit code; null when a signal ended the process. */
  readonly outcome: Promise<CliOutcome>;
  /** Resolves when standard error has shown the text; rejects when the process ends before. */
  waitForStderr(text: string): Promise<void>;
  /** What it has said until now on standard output and standard error. */
  said(): string;
  kill(signal: NodeJS.Signals): void;
  /** Stops reading standard output, as `| head` does. */
  closeStdout(): void;
  closeStderr(): void;
  /** Stops reading its output, like a log collector that hangs, until the process ends. */
  stopReading(): void;
}

/**
 * Starts the compiled program, the one at a path, or an executable; the build must have run. What still runs when the file
 * of tests is done is killed.
 */
export function startCli(
  line: string | readonly string[],
  options: Pick<CliOptions, 'env' | 'cwd' | 'stdin'> & { readonly program?: string; readonly executable?: string } = {},
): CliProcess {
  const words = typeof line === 'string' ? splitLine(line) : line;
  const [file, args] =
    options.executable === undefined
      ? [process.execPath, [options.program ?? binary, ...words]]
      : [options.executable, words];
  const child = spawn(file, args, {
    cwd: options.cwd,
    env: { PATH: process.env['PATH'] ?? '', ...options.env },
    stdio: 'pipe',
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    stdout += chunk;
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    stderr += chunk;
  });
  child.stdin.on('error', () => undefined).end(options.stdin ?? '');
  const outcome = new Promise<CliOutcome>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
  // A test that failed has not ended it: it would take time from all later tests.
  const forget = atFileEnd(async () => {
    child.kill('SIGKILL');
    await outcome.catch(() => undefined);
  });
  child.once('close', forget);
  return {
    pid: child.pid ?? 0,
    outcome,
    waitForStderr: (text) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (stderr.includes(text)) resolve();
        };
        child.stderr.on('data', look);
        child.once('close', () => reject(new Error(`the process ended without saying "${text}": ${stderr}`)));
        look();
      }),
    said: () => stdout + stderr,
    kill: (signal) => void child.kill(signal),
    closeStdout: () => void child.stdout.destroy(),
    closeStderr: () => void child.stderr.destroy(),
    stopReading() {
      const streams = [child.stdout, child.stderr];
      for (const stream of streams) stream.pause();
      child.once('exit', () => {
        for (const stream of streams) stream.resume();
      });
    },
  };
}

/** Runs the compiled program to its end. */
export function runCliProcess(
  line: string | readonly string[],
  options: Pick<CliOptions, 'env' | 'cwd' | 'stdin'> = {},
): Promise<CliOutcome> {
  return startCli(line, options).outcome;
}
