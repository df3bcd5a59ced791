/** Lines of the log that are written together, and counted where their reader takes nothing. */
import type { Clock, Timer } from '../src/clock/clock.js';

export interface LineBatch {
  add(line: string): void;
  flush(): void;
  /** Lines lost since the last call, once the reader takes lines again. */
  takeLost(): number;
}

interface LineBatchOptions {
  readonly clock: Pick<Clock, 'after'>;
  readonly write: (text: string) => void;
  readonly waiting: () => number;
}

/** Bytes that may wait for a reader that takes nothing: further lines are lost, and counted. */
const mostWaiting = 8 * 1024 * 1024;
/** Milliseconds for which lines are gathered: too short to notice. */
const gatherFor = 10;
/** A pipe takes as many characters in one write. */
const mostGathered = 65_536;

export function createLineBatch({ clock, write, waiting }: LineBatchOptions): LineBatch {
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
    else write(text);
  };
  return {
    add(line) {
      lines += line;
      gathered += 1;
      if (lines.length >= mostGathered) flush();
      else timer ??= clock.after(gatherFor, flush);
    },
    flush,
    takeLost() {
      if (lost === 0 || waiting() > mostWaiting / 2) return 0;
      const count = lost;
      lost = 0;
      return count;
    },
  };
}
