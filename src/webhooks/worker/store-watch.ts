/** Reports once when the database of a worker no longer answers, and once when it answers again. */
import { AppError } from '../../errors/app-error.js';
import type { Log } from '../../log/observation.js';
import { outageOf } from '../../store/base/errors.js';

export class StoreWatch {
  /** Failed work, except deliveries to receivers. */
  faults = 0;
  readonly #log: Log;
  #isTold = false;
  #failures = 0;

  constructor(log: Log) {
    this.#log = log;
  }

  /** Taken before a question is asked, and given back with its answer. */
  get failures(): number {
    return this.#failures;
  }

  failed(during: string, error: unknown): void {
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
    if (!this.#isTold) return;
    this.#isTold = false;
    this.#log({ kind: 'store_recovered' });
  }
}
