/** Gathers the ends of attempts into few transactions, so that a fast receiver costs no transaction per delivery. */
import type { Clock } from '../../clock/clock.js';
import { AppError } from '../../errors/app-error.js';
import { leaseMs } from './claim.js';
import { type Ended, type SettleDeps, type Settlement, settle } from './settle.js';

const batchSize = 64;
/** Turns of the event loop without a further answer after which the wait ends. */
const quietTurns = 4;
const againMs = 200;

interface Waiting {
  readonly ended: Ended;
  readonly done: () => void;
}

interface SettlerDeps extends SettleDeps {
  /** After each transaction that was committed. */
  readonly onSettled: (settlement: Settlement) => void;
  readonly clock: Clock;
  /** Ends the retries when the database does not answer. */
  readonly ending: AbortSignal;
  readonly onError: (error: unknown) => void;
}

export class Settler {
  readonly #deps: SettlerDeps;
  #waiting: Waiting[] = [];
  #running = false;

  constructor(deps: SettlerDeps) {
    this.#deps = deps;
  }

  /** Resolves when the attempt is recorded or given up. Never rejects. */
  add(ended: Ended): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push({ ended, done: resolve });
      if (!this.#running) void this.#run();
    });
  }

  /** Never rejects. */
  async #run(): Promise<void> {
    this.#running = true;
    while (this.#waiting.length > 0) {
      await this.#gather();
      const batch = this.#waiting.splice(0, batchSize);
      await this.#settle(batch.map(({ ended }) => ended));
      for (const { done } of batch) done();
    }
    this.#running = false;
  }

  /** Waits while turns of the event loop bring more answers; a database in this thread would record each alone. */
  async #gather(): Promise<void> {
    let before = 0;
    for (let quiet = 0; quiet < quietTurns && this.#waiting.length < batchSize; ) {
      quiet = this.#waiting.length > before ? 0 : quiet + 1;
      before = this.#waiting.length;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** Must not throw: unrecorded attempts are delivered again, so the database is asked until the lease ends. */
  async #settle(ended: readonly Ended[]): Promise<void> {
    const { clock, ending, onSettled, onError } = this.#deps;
    const begunAt = clock.elapsed();
    for (;;) {
      try {
        onSettled(await settle(this.#deps, ended));
        return;
      } catch (error) {
        onError(error);
        const isAway = error instanceof AppError && error.kind === 'unavailable';
        if (!isAway || ending.aborted || clock.elapsed() - begunAt > leaseMs) return;
        await clock.sleep(againMs, ending);
      }
    }
  }
}
