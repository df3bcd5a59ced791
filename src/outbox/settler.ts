/**
 * Gathers the ends of attempts into few transactions: one is under way at a time and takes along all that ended
 * meanwhile, so that a fast receiver costs no transaction per delivery.
 */
import { type Ended, type SettleDeps, type Settled, type Settlement, settle } from './settle.js';

/** Attempts of one transaction. */
const together = 32;

interface Waiting {
  readonly ended: Ended;
  /** With what came of it; null when it could not be recorded. */
  readonly done: (settled: Settled | null) => void;
}

export interface SettlerDeps extends SettleDeps {
  /** Hears of each transaction that was committed. */
  readonly onSettled: (settlement: Settlement) => void;
  /** Hears why attempts could not be recorded; their leases end by themselves. */
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
    // Answers that have arrived are read in one turn of the event loop: all of them share the transaction. Without the
    // wait a database that works in this thread would record the first one alone, claim one in its place, and so on.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, together);
      const settlement = await this.#settle(batch.map(({ ended }) => ended));
      for (const [at, { done }] of batch.entries()) done(settlement?.settled[at] ?? null);
    }
    this.#running = false;
  }

  async #settle(ended: readonly Ended[]): Promise<Settlement | null> {
    try {
      const settlement = await settle(this.#deps, ended);
      this.#deps.onSettled(settlement);
      return settlement;
    } catch (error) {
      // Must not throw: what is not recorded is delivered again when the lease ends.
      this.#deps.onError(error);
      return null;
    }
  }
}
