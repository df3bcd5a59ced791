/**
 * Sees to it that lists and feeds are answered from what is: looks for differences before an answer, after every change
 * that this process hears of and otherwise once a second. On a very large site less often, so that looking is never
 * more than a tenth of what the database does.
 */
import type { Clock } from '../../clock/clock.js';

/** Milliseconds for which a look counts while nobody tells of a change. */
const interval = 1000;
const share = 10;

export interface ReconcileWatchDeps {
  readonly clock: Pick<Clock, 'elapsed'>;
  readonly reconcile: () => Promise<number>;
}

export class ReconcileWatch {
  readonly #deps: ReconcileWatchDeps;
  /** Changes that were heard of, and those that had been heard of when the last look began. */
  #heard = 0;
  #seen = -1;
  #nextLook = Number.NEGATIVE_INFINITY;
  #looking: Promise<void> | null = null;

  constructor(deps: ReconcileWatchDeps) {
    this.#deps = deps;
  }

  /** Something changed: the next answer needs a look of its own. */
  noteChange(): void {
    this.#heard += 1;
  }

  /** Resolves when a look that began late enough has ended. Throws unavailable when the database does not answer. */
  async fresh(): Promise<void> {
    const heard = this.#heard;
    // One that is under way may have begun before the change that this answer has to show.
    while (this.#seen < heard || this.#deps.clock.elapsed() >= this.#nextLook) {
      this.#looking ??= this.#look().finally(() => {
        this.#looking = null;
      });
      await this.#looking;
    }
  }

  async #look(): Promise<void> {
    const { clock, reconcile } = this.#deps;
    const heard = this.#heard;
    const begun = clock.elapsed();
    await reconcile();
    const took = clock.elapsed() - begun;
    this.#seen = heard;
    this.#nextLook = begun + Math.max(interval, took * share);
  }
}
