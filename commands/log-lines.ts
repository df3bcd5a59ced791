/** The log of a command: its level and form, and its lines, which are written together. */
import type { Clock, Timer } from '../src/clock/clock.js';
import type { Config } from '../src/config/definitions.js';
import type { LoadedConfig } from '../src/config/load.js';
import { createLogger } from '../src/log/logger.js';
import type { Log } from '../src/log/observation.js';
import type { LogLevel } from '../src/log/request-line.js';
import { endOnCrash, type Io, type Output } from './host.js';

export interface CommandLog {
  readonly log: Log;
  readonly flushLog: () => void;
}

interface LogSurroundings {
  readonly io: Io;
  readonly clock: Clock;
  readonly quiet: boolean;
  readonly logLevel: LogLevel;
  readonly load: () => LoadedConfig;
}

/** The log opens on its first line, so that commands that log nothing need no valid configuration. */
export function openLog({ io, clock, quiet, logLevel, load }: LogSurroundings): CommandLog {
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
