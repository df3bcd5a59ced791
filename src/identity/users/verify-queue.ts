/** Lets few passwords be verified at once, so that a flood of log-ins cannot take the process down. */
import { AppError } from '../../errors/app-error.js';

/** Half of Node's threads for such work, which also look up files and names. */
const running = 2;
const waiting = 64;
const retryAfter = 2;

export class VerifyQueue {
  readonly #mostRunning: number;
  readonly #mostWaiting: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(limits: { readonly running?: number; readonly waiting?: number } = {}) {
    this.#mostRunning = limits.running ?? running;
    this.#mostWaiting = limits.waiting ?? waiting;
  }

  /** Throws unavailable when too many wait. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#mostRunning) await this.#turn();
    else this.#running += 1;
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      // The place goes directly to the next: no log-in that arrives meanwhile can take it.
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }

  #turn(): Promise<void> {
    if (this.#waiting.length >= this.#mostWaiting) {
      const message = 'Too many log-ins at once';
      throw new AppError('unavailable', { message, details: { retryAfter } });
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}
