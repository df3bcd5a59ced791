/** Watches whether the database of a worker answers: while it does not, nothing is sent. */
import { AppError } from '../../errors/app-error.js';
import type { Log } from '../../log/observation.js';
import { outageOf } from '../../store/base/errors.js';

export class StoreWatch {
  /** Failed work, except deliveries to receivers. */
  faults = 0;
  readonly #log: Log;
  #isTold = false;
  #isLost = false;
  #failures = 0;

  constructor(log: Log) {
    this.#log = log;
  }

  /** Since the last failure nothing has been read: what is sent now could perhaps not be recorded. */
  get isLost(): boolean {
    return this.#isLost;
  }

  /** Taken before a question is asked, and given back with its answer. */
  get failures(): number {
    return this.#failures;
  }

  failed(during: string, error: unknown): void {
    this.#isLost = true;
    this.#failures += 1;
    this.tell(during, error);
  }

  /** For failures of other work than deliveries. */
  tell(during: string, error: unknown): void {
    this.faults += 1;
    if (error instanceof AppError && error.kind === 'unavailable') {
      this.#isTold = true;
      this.#log(outageOf(error));
    } else this.#log({ kind: 'unexpected_error', during, error });
  }

  /** An answer to an older question says nothing of the database now. */
  answered(failures: number): void {
    if (failures !== this.#failures) return;
    this.#isLost = false;
    if (!this.#isTold) return;
    this.#isTold = false;
    this.#log({ kind: 'store_recovered' });
  }
}
