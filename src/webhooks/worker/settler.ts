/**
 * Gathers the ends of attempts into few transactions: one is under way at a time and takes along all that ended
 * meanwhile, so that a fast receiver costs no transaction per delivery.
 */
import type { Clock } from '../../clock/clock.js';
import { AppError } from '../../errors/app-error.js';
import { leaseMs } from './claim.js';
import { type Ended, type SettleDeps, type Settled, type Settlement, settle } from './settle.js';

/** Attempts of one transaction. */
const together = 64;
/** Turns of the event loop without a further answer after which nothing more is waited for. */
const quietTurns = 4;
/** Milliseconds until the next try when the database does not answer. */
const againMs = 200;

interface Waiting {
  readonly ended: Ended;
  /** With what came of it; null when it could not be recorded. */
  readonly done: (settled: Settled | null) => void;
}

interface SettlerDeps extends SettleDeps {
  /** Called after each transaction that was committed. */
  readonly onSettled: (settlement: Settlement) => void;
  readonly clock: Clock;
  /** Ends the retries when the database does not answer. */
  readonly ending: AbortSignal;
  /** Called for every try that failed. */
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
  add(ended: Ended): Promise<Settled | null> {
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
      const batch = this.#waiting.splice(0, together);
      const settlement = await this.#settle(batch.map(({ ended }) => ended));
      for (const [at, { done }] of batch.entries()) done(settlement?.settled[at] ?? null);
    }
    this.#running = false;
  }

  /**
   * Answers that have arrived are read in one turn of the event loop, and the next turns read those that came meanwhile:
   * while turns bring more, all of them share the transaction. Without the wait a database that works in this thread would
   * record the first one alone, and so on.
   */
  async #gather(): Promise<void> {
    let before = 0;
    for (let quiet = 0; quiet < quietTurns && this.#waiting.length < together; ) {
      quiet = this.#waiting.length > before ? 0 : quiet + 1;
      before = this.#waiting.length;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /**
   * Must not throw: what is not recorded is delivered again when the lease ends. Until then a database that does not answer
   * is asked again, because what is known here need not be sent twice.
   */
  async #settle(ended: readonly Ended[]): Promise<Settlement | null> {
    const { clock, ending, onSettled, onError } = this.#deps;
    const begunAt = clock.elapsed();
    for (;;) {
      try {
        const settlement = await settle(this.#deps, ended);
        onSettled(settlement);
        return settlement;
      } catch (error) {
        onError(error);
        const isAway = error instanceof AppError && error.kind === 'unavailable';
        if (!isAway || ending.aborted || clock.elapsed() - begunAt > leaseMs) return null;
        await clock.sleep(againMs, ending);
      }
    }
  }
}
