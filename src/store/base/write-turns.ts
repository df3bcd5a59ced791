/**
 * Lets so many write transactions of this process work at a time, in the order of asking. SQLite has one writer, and
 * waiting in line is cheaper and fairer than finding the file locked. Writers to MariaDB wait for locks of each other
 * with a connection in hand: without a limit they would take all connections and readers none.
 */
import { systemClock } from '../../clock/clock.js';
import { AppError } from '../../errors/app-error.js';

export interface WriteTurnLimits {
  /** Transactions at a time. */
  readonly places: number;
  /** Milliseconds in the line. */
  readonly wait: number;
}

export class WriteTurns {
  readonly #limits: WriteTurnLimits;
  readonly #line: (() => void)[] = [];
  #taken = 0;

  constructor(limits: WriteTurnLimits) {
    this.#limits = limits;
  }

  /** Resolves with the function that ends the turn; `unavailable` when the turn does not come within the limit. */
  async take(): Promise<() => void> {
    if (this.#taken < this.#limits.places) this.#taken += 1;
    else await this.#wait();
    let ended = false;
    return () => {
      if (ended) return;
      ended = true;
      const next = this.#line.shift();
      if (next === undefined) this.#taken -= 1;
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
      const timer = systemClock.after(this.#limits.wait, () => {
        this.#line.splice(this.#line.indexOf(enter), 1);
        reject(new AppError('unavailable', { details: { retryAfter: 5 } }));
      });
      this.#line.push(enter);
    });
  }
}
