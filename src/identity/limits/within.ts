/** Waits for an answer up to a limit. */
import type { Clock, Timer } from '../../clock/clock.js';

/** Timers, one after the other, by which one limit is waited for. */
const parts = 10;

interface Waiting<T> {
  readonly work: Promise<T>;
  /** Milliseconds. */
  readonly limit: number;
  readonly tooLate: () => Error;
}

/**
 * Rejects when the work takes longer. The limit is waited for in parts: whatever holds up this process costs one part
 * each time, however long it lasts, and an answer that has come meanwhile is read before the next one ends. A flood of
 * requests on a slow machine holds it up several times in a row.
 */
export function within<T>(clock: Clock, { work, limit, tooLate }: Waiting<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    let left = parts;
    const waitOn = (): Timer => {
      left -= 1;
      return clock.after(limit / parts, () => {
        if (left === 0) reject(tooLate());
        else timer = waitOn();
      });
    };
    let timer = waitOn();
    work.then(resolve, reject).finally(() => timer.stop());
  });
}
