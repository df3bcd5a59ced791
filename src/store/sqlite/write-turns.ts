/**
 * Lets one write transaction of this process work at a time, in the order of asking: SQLite has one writer, and
 * waiting in line is cheaper and fairer than finding the file locked.
 */
import { systemClock } from '../../clock/clock.js';
import { AppError } from '../../errors/app-error.js';

export class WriteTurns {
  readonly #limit: number;
  readonly #line: (() => void)[] = [];
  #taken = false;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Resolves with the function that ends the turn; `unavailable` when the turn does not come within the limit. */
  async take(): Promise<() => void> {
    if (this.#taken) await this.#wait();
    this.#taken = true;
    let ended = false;
    return () => {
      if (ended) return;
      ended = true;
      const next = this.#line.shift();
      if (next === undefined) this.#taken = false;
      // The turn passes on without a gap into which a newcomer could slip.
      else next();
    };
  }

  #wait(): Promise<void> {
    return new Promise((resolve, reject) => {
      const enter = () => {
        timer.stop();
        resolve();
      };
      const timer = systemClock.after(this.#limit, () => {
        this.#line.splice(this.#line.indexOf(enter), 1);
        reject(new AppError('unavailable', { details: { retryAfter: 5 } }));
      });
      this.#line.push(enter);
    });
  }
}
