/** Waits for an answer up to a limit. */
import type { Clock, Timer } from '../../clock/clock.js';

const parts = 10;

interface Waiting<T> {
  readonly work: Promise<T>;
  readonly limit: number;
  readonly tooLate: () => Error;
}

/** Waits in parts: each stall of this process costs only one, and an answer that has come is read before the next. */
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
