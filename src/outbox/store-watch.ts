/** Whether the database of a worker answers: what is said of it in the log, and that nothing is sent meanwhile. */
import { AppError } from '../errors/app-error.js';
import type { Log } from '../log/observation.js';

export class StoreWatch {
  readonly #log: Log;
  #isTold = false;
  #isLost = false;

  constructor(log: Log) {
    this.#log = log;
  }

  /** Since the last failure nothing has been read: what is sent now could perhaps not be recorded. */
  get isLost(): boolean {
    return this.#isLost;
  }

  /** What the worker needs for sending could not be read or written. */
  failed(during: string, error: unknown): void {
    this.#isLost = true;
    this.tell(during, error);
  }

  /** Something beside the deliveries failed. */
  tell(during: string, error: unknown): void {
    if (error instanceof AppError && error.kind === 'unavailable') {
      this.#isTold = true;
      this.#log({ kind: 'store_unavailable', code: error.code });
    } else this.#log({ kind: 'unexpected_error', during, error });
  }

  answered(): void {
    this.#isLost = false;
    if (!this.#isTold) return;
    this.#isTold = false;
    this.#log({ kind: 'store_recovered' });
  }
}
