/**
 * Gathers log lines of a few milliseconds into one write: under load a system call per request would cost more than the
 * line itself.
 */
import type { Clock, Timer } from '../src/clock/clock.js';

export interface LineBatch {
  add(line: string): void;
  /** Writes what is gathered, at once. */
  flush(): void;
}

export interface LineBatchOptions {
  readonly clock: Pick<Clock, 'after'>;
  readonly write: (text: string) => void;
}

/** Milliseconds for which lines are gathered: too short to notice. */
const gatherFor = 10;
/** Characters that are written at once: a pipe takes as much in one go. */
const mostGathered = 65_536;

export function createLineBatch({ clock, write }: LineBatchOptions): LineBatch {
  let lines = '';
  let timer: Timer | null = null;
  const flush = (): void => {
    timer?.stop();
    timer = null;
    const text = lines;
    lines = '';
    if (text !== '') write(text);
  };
  return {
    add(line) {
      lines += line;
      if (lines.length >= mostGathered) flush();
      else timer ??= clock.after(gatherFor, flush);
    },
    flush,
  };
}
