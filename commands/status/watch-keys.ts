/** Keys while a screen is drawn repeatedly: q ends it, and Ctrl-C is the usual signal. */
import type { Input } from '../host.js';

interface Keys {
  readonly ended: AbortSignal;
  close(): void;
}

const ctrlC = '\u0003';

export function watchKeys({ isTerminal, stream }: Input): Keys {
  const quit = new AbortController();
  if (!isTerminal) return { ended: quit.signal, close: () => undefined };
  const setRaw = (on: boolean): void => {
    if ('setRawMode' in stream && typeof stream.setRawMode === 'function') stream.setRawMode(on);
  };
  const read = (typed: Buffer | string): void => {
    for (const key of typed.toString()) {
      if (key === 'q' || key === 'Q') quit.abort();
      // A terminal in raw mode sends the key instead of the signal.
      if (key === ctrlC) process.kill(process.pid, 'SIGINT');
    }
  };
  setRaw(true);
  stream.on('data', read);
  return {
    ended: quit.signal,
    close() {
      stream.off('data', read);
      setRaw(false);
      stream.pause();
    },
  };
}
