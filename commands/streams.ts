/** What a process reads and writes, and its log: its level and form, and its lines, which are written together. */
import type { Writable } from 'node:stream';
import type { Clock, Timer } from '../src/clock/clock.js';
import { type Config, type Environment, readVariable } from '../src/config/definitions.js';
import type { LoadedConfig } from '../src/config/load.js';
import { createLogger, type LogLevel } from '../src/log/logger.js';
import type { Log } from '../src/log/observation.js';
import { perObject } from '../src/values/kept-values.js';
import { escapeLines } from '../src/values/text.js';
import { Interrupted } from './exit-codes.js';
import { endOnCrash, type OutputStream, type Streams } from './host.js';

export type Io = ReturnType<typeof createIo>;
export type Input = Io['stdin'];
export type Output = Io['stdout'];

/** Colour needs a terminal and neither NO_COLOR nor `noColor`. */
export function createIo(streams: Streams, options: { readonly env: Environment; readonly noColor: boolean }) {
  const mayColour =
    !options.noColor && readVariable(options.env, 'NO_COLOR') === undefined && options.env['TERM'] !== 'dumb';
  return Object.freeze({
    stdin: createInput(streams.stdin),
    stdout: createOutput(streams.stdout, mayColour),
    stderr: createOutput(streams.stderr, mayColour),
  });
}

function createInput(stream: Streams['stdin']) {
  return {
    isTerminal: stream.isTTY === true,
    stream,
    async readAll(): Promise<Buffer> {
      const chunks: Buffer[] = [];
      for await (const chunk of stream) chunks.push(Buffer.from(chunk));
      return Buffer.concat(chunks);
    },
  };
}

function createOutput(stream: OutputStream, mayColour: boolean) {
  const isTerminal = stream.isTTY === true;
  const end = endOf(stream);
  const hasColour = isTerminal && mayColour;
  const harmless = hasColour ? escapeAround : escapeLines;
  let write = (text: string, _level: 'info' | 'error'): void => draw(harmless(text));
  /** Unescaped: our own cursor sequences, and lines that were made harmless before. */
  const draw = (text: string): void => {
    if (end.closed === undefined) stream.write(text);
  };
  return {
    isTerminal,
    // Some pseudo terminals report no width as 0.
    columns: stream.columns || 80,
    hasColour,
    stream,
    harmless,
    waiting: (): number => stream.writableLength,
    readerGone: end.gone.signal,
    /** Does nothing once the reader has gone away. */
    write: (text: string, level: 'info' | 'error' = 'info'): void => write(text, level),
    redirect: (give: typeof write): void => {
      write = give;
    },
    draw,
    /** With the error when something could not be written. */
    flush: () =>
      new Promise<Error | null>((resolve) => {
        const finish = (): void => resolve(end.closed ?? null);
        if (end.closed !== undefined) finish();
        // The error of a write is reported after its callback.
        else stream.write('', () => setImmediate(finish));
      }),
  };
}

export function writeJson(output: Output, value: object): void {
  output.write(`${JSON.stringify(value, null, output.isTerminal ? 2 : 0)}\n`);
}

/** The sequences of `Paint`. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character opens a sequence of colour
const painting = /(\u001b\[(?:1|2|22|31|32|33|39)m)/;

function escapeAround(text: string): string {
  const parts = text.split(painting);
  return parts.map((part, index) => (index % 2 === 1 ? part : escapeLines(part))).join('');
}

/** By stream, which may be wrapped twice. Closed by null when the reader has gone, as in `hcd ... | head`, or an error. */
const endOf = perObject((stream: Writable) => {
  const end: { closed?: Error | null; readonly gone: AbortController } = { gone: new AbortController() };
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (end.closed === undefined) end.closed = error.code === 'EPIPE' ? null : error;
    if (error.code === 'EPIPE') end.gone.abort(new Interrupted('SIGPIPE'));
  });
  return end;
});

export type CommandLog = ReturnType<typeof openLog>;

interface LogSurroundings {
  readonly io: Io;
  readonly clock: Clock;
  readonly quiet: boolean;
  readonly logLevel: LogLevel;
  readonly load: () => LoadedConfig;
}

/** The log opens on its first line, so that commands that log nothing need no valid configuration. */
export function openLog({ io, clock, quiet, logLevel, load }: LogSurroundings) {
  // The logger has escaped control characters already, and there is a line for every request.
  const lines = createLineBatch(clock, io.stderr);
  let opened: Log | null = null;
  const open = (): Log => {
    const { log_level, log_format } = logConfig(load, logLevel);
    const automatic = io.stderr.isTerminal ? 'text' : 'json';
    return createLogger({
      level: quiet ? 'error' : log_level,
      format: log_format === 'auto' ? automatic : log_format,
      clock,
      write: lines.add,
    });
  };
  const log: Log = (observation) => {
    opened ??= open();
    const lost = lines.takeLost();
    if (lost > 0) opened({ kind: 'log_lines_lost', lines: lost });
    opened(observation);
  };
  return { log, flushLog: lines.flush };
}

/** Warnings of Node, the error of a crash and, with `log_format = json`, texts for people become log lines. */
export function keepLogWhole(
  { io, clock, log, flushLog }: CommandLog & Pick<LogSurroundings, 'io' | 'clock'>,
  { log_format }: Config,
): void {
  if (log_format === 'json') {
    const direct = createLogger({ level: 'info', format: 'json', clock, write: (line) => io.stderr.draw(line) });
    io.stderr.redirect((text, level) => direct({ kind: 'notice', text: text.trimEnd(), level }));
  }
  // Node prints its warnings itself unless a flag prevents it.
  if (process.listenerCount('warning') === 0) return;
  process.removeAllListeners('warning');
  process.on('warning', ({ name, message }) => log({ kind: 'notice', text: `${name}: ${message}`, level: 'warn' }));
  endOnCrash((error) => {
    log({ kind: 'unexpected_error', during: 'background work, the process ends', error });
    flushLog();
  });
}

/** Reporting must never fail: with a broken configuration the log has its defaults. */
function logConfig(load: () => LoadedConfig, usual: LogLevel): Pick<Config, 'log_level' | 'log_format'> {
  try {
    const { config, sources } = load();
    return sources.log_level === 'default' ? { ...config, log_level: usual } : config;
  } catch {
    return { log_level: usual, log_format: 'auto' };
  }
}

/** Bytes that may wait for a reader that takes nothing: further lines are lost, and counted. */
const mostWaiting = 8 * 1024 * 1024;
/** Milliseconds for which lines are gathered: too short to notice. */
const gatherFor = 10;
/** A pipe takes as many characters in one write. */
const mostGathered = 65_536;

/** Lines of the log that are written together, and counted where their reader takes nothing. */
export function createLineBatch(clock: Pick<Clock, 'after'>, { draw, waiting }: Pick<Output, 'draw' | 'waiting'>) {
  let lines = '';
  let gathered = 0;
  let lost = 0;
  let timer: Timer | null = null;
  const flush = (): void => {
    timer?.stop();
    timer = null;
    const [text, count] = [lines, gathered];
    [lines, gathered] = ['', 0];
    if (text === '') return;
    if (waiting() + text.length > mostWaiting) lost += count;
    else draw(text);
  };
  return {
    add(line: string): void {
      lines += line;
      gathered += 1;
      if (lines.length >= mostGathered) flush();
      else timer ??= clock.after(gatherFor, flush);
    },
    flush,
    /** Lines lost since the last call, once the reader takes lines again. */
    takeLost(): number {
      if (lost === 0 || waiting() > mostWaiting / 2) return 0;
      const count = lost;
      lost = 0;
      return count;
    },
  };
}
