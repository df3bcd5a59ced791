/** Runs the chores of a worker beside its deliveries, each at its interval, one at a time. */
import type { Clock } from '../clock/clock.js';
import type { Chore } from './worker-options.js';

export interface ChoresDeps {
  readonly clock: Clock;
  readonly chores: readonly Chore[];
  readonly onError: (during: string, error: unknown) => void;
}

export class Chores {
  readonly #deps: ChoresDeps;
  /** When each is due, by the clock that never goes back; absent = now. */
  readonly #dueAt = new Map<Chore, number>();
  #running: Promise<void> | null = null;

  constructor(deps: ChoresDeps) {
    this.#deps = deps;
  }

  /** Starts those that are due unless some still run; does not wait for them. */
  start(stop: AbortSignal): void {
    if (this.#running !== null) return;
    const now = this.#deps.clock.elapsed();
    const due = this.#deps.chores.filter((chore) => (this.#dueAt.get(chore) ?? now) <= now);
    if (due.length === 0) return;
    this.#running = this.#run(due, stop).finally(() => {
      this.#running = null;
    });
  }

  /** Runs every chore once. */
  runAll(stop: AbortSignal): Promise<void> {
    return this.#run(this.#deps.chores, stop);
  }

  /** Resolves when none runs. */
  async settled(): Promise<void> {
    await this.#running;
  }

  /** Never rejects: one that fails does not keep the others from running. */
  async #run(chores: readonly Chore[], stop: AbortSignal): Promise<void> {
    for (const chore of chores) {
      if (stop.aborted) return;
      this.#dueAt.set(chore, this.#deps.clock.elapsed() + chore.everyMs);
      try {
        await chore.run(stop);
      } catch (error) {
        this.#deps.onError(chore.name, error);
      }
    }
  }
}
