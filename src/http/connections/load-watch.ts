/**
 * Reports requests that are refused because too much is asked: one line when it begins, and one with their number when
 * it has been over for a while. A line for each of them would only add to the load.
 */
import type { HttpPorts } from '../interface/ports.js';

/** Milliseconds without a refusal after which it is over. */
const quiet = 10_000;

/** Makes the function that notes a refusal. */
export function watchLoad({ clock, log }: Pick<HttpPorts, 'clock' | 'log'>): () => void {
  let refused = 0;
  let latest = 0;
  const look = (after: number): void => {
    clock.after(after, () => {
      const left = latest + quiet - clock.elapsed();
      if (left > 0) return look(left);
      log({ kind: 'load_over', refused });
      refused = 0;
    });
  };
  return () => {
    refused += 1;
    latest = clock.elapsed();
    if (refused > 1) return;
    log({ kind: 'load_refused' });
    look(quiet);
  };
}
