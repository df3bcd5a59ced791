/** Progress of work that takes longer than a second: a bar on a terminal, a line every few seconds elsewhere. */
import type { Clock } from '../src/clock/clock.js';
import { escapeControls } from '../src/values/text.js';
import type { Io } from './streams.js';
import { cutToWidth } from './terminal-text.js';

export interface Progress {
  /** A total may be known only when the work has begun; null: not at all. */
  readonly update: (done: number, total?: number | null) => void;
  /** Removes the bar before something else is written. */
  readonly finish: () => void;
}

interface Surroundings {
  readonly io: Io;
  readonly clock: Clock;
  readonly quiet: boolean;
  readonly stop: AbortSignal;
}

const silentMs = 1000;
const barEveryMs = 100;
const lineEveryMs = 5000;
const bars = { widest: 24, narrowest: 5 };

/** Prints nothing in the first second. */
export async function withProgress<T>(
  { io, clock, quiet, stop }: Surroundings,
  label: string,
  work: (progress: Progress) => Promise<T>,
): Promise<T> {
  const { isTerminal } = io.stderr;
  const started = clock.elapsed();
  let nextAt = started + (isTerminal ? silentMs : lineEveryMs);
  let hasBar = false;
  // A bar that breaks into a second line could not be removed.
  const most = io.stderr.columns - 1;
  const fitted = (state: State): string => cutToWidth(escapeControls(bar(state, most)), most);
  const finish = (): void => {
    if (hasBar) io.stderr.draw('\r\u001b[K');
    hasBar = false;
  };
  const update: Progress['update'] = (given, total = null) => {
    // What is repeated, or grew since it was counted, is not more than everything.
    const done = total === null ? given : Math.min(given, total);
    const now = clock.elapsed();
    if (quiet || stop.aborted || now < nextAt) return;
    nextAt = now + (isTerminal ? barEveryMs : lineEveryMs);
    hasBar = isTerminal;
    if (isTerminal) io.stderr.draw(`\r${fitted({ label, total, done })}\u001b[K`);
    else io.stderr.write(`${line({ label, total, done })}\n`);
  };
  stop.addEventListener('abort', finish, { once: true });
  try {
    return await work({ update, finish });
  } finally {
    stop.removeEventListener('abort', finish);
    finish();
  }
}

interface State {
  readonly label: string;
  readonly total: number | null;
  readonly done: number;
}

function line({ label, total, done }: State): string {
  return total === null ? `${label}: ${done}` : `${label}: ${done} of ${total} (${percent(done, total)} %)`;
}

function bar(state: State, columns: number): string {
  const { label, total, done } = state;
  if (total === null) return line(state);
  const share = `${percent(done, total)} %`;
  const width = Math.min(bars.widest, columns - label.length - ' [] 100 %'.length);
  if (width < bars.narrowest) return `${label} ${share}`;
  const filled = Math.round((percent(done, total) / 100) * width);
  return `${label} [${'='.repeat(filled)}${' '.repeat(width - filled)}] ${share}`;
}

function percent(done: number, total: number): number {
  return total === 0 ? 100 : Math.floor((done / total) * 100);
}
