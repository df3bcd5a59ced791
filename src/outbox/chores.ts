/**
 * Runs the chores of a worker at their intervals, beside its deliveries and beside one another: what is published on
 * time must wait neither for a receiver that hangs nor for the removal of a million rows.
 */
import type { Clock } from '../clock/clock.js';
import type { Chore } from './worker-options.js';

export interface ChoresDeps {
  readonly clock: Clock;
  readonly chores: readonly Chore[];
  readonly onError: (during: string, error: unknown) => void;
}

export class Chores {
  readonly #deps: ChoresDeps;

  constructor(deps: ChoresDeps) {
    this.#deps = deps;
  }

  /** Each now and, its interval after it has ended, again; resolves when all have ended after the signal. Never rejects. */
  async repeat(stop: AbortSignal): Promise<void> {
    const { chores, clock } = this.#deps;
    await Promise.all(
      chores.map(async (chore) => {
        while (!stop.aborted) {
          await this.#run(chore, stop);
          await clock.sleep(chore.everyMs, stop);
        }
      }),
    );
  }

  /** Each once, in their order. Never rejects. */
  async runAll(stop: AbortSignal): Promise<void> {
    for (const chore of this.#deps.chores) {
      if (!stop.aborted) await this.#run(chore, stop);
    }
  }

  /** Never rejects: one that fails does not keep the others from running. */
  async #run(chore: Chore, stop: AbortSignal): Promise<void> {
    try {
      await chore.run(stop);
    } catch (error) {
      this.#deps.onError(chore.name, error);
    }
  }
}
