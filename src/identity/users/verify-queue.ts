/**
 * Lets few passwords be verified at once: each costs megabytes and a core for tens of milliseconds. A few more wait,
 * and beyond that the answer is 503, so that a flood of log-ins cannot take the process down.
 */
import { AppError } from '../../errors/app-error.js';

/** Half of the threads that Node has for such work: files and names are looked up on the same ones. */
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

  /** Does the work when its turn comes, the oldest first. Throws unavailable when too many wait. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#mostRunning) await this.#turn();
    else this.#running += 1;
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      // The place goes straight to the next: no log-in that comes meanwhile can take it.
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
