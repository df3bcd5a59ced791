/**
 * Gathers log lines of one turn of the event loop into one write: under load a system call per request would cost more
 * than the line itself.
 */

export interface LineBatch {
  add(line: string): void;
  /** Writes what is gathered, at once. */
  flush(): void;
}

export function createLineBatch(write: (text: string) => void): LineBatch {
  let lines = '';
  const flush = (): void => {
    const text = lines;
    lines = '';
    if (text !== '') write(text);
  };
  return {
    add(line) {
      if (lines === '') setImmediate(flush);
      lines += line;
    },
    flush,
  };
}
