/**
 * Brings commits to the disk together. A transaction commits without waiting for the disk, then waits here, off the event
 * loop: one sync serves every commit that was made before it began.
 */

export interface SyncParts {
  /** Resolves when everything that was committed before the call is on the disk. */
  readonly sync: () => Promise<void>;
  /** Writes again, to the disk, what a failed sync may have left out: a later sync does not report it a second time. */
  readonly writeAgain: () => void;
}

export class SharedSync {
  readonly #parts: SyncParts;
  #running: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;
  #isIncomplete = false;

  constructor(parts: SyncParts) {
    this.#parts = parts;
  }

  /** Resolves when all commits up to now are on the disk; rejects when that is not known. */
  wait(): Promise<void> {
    // A sync that has begun may have missed the latest commit.
    this.#next ??= this.#running.catch(() => undefined).then(() => this.#begin());
    return this.#next;
  }

  #begin(): Promise<void> {
    this.#next = undefined;
    this.#running = this.#run();
    return this.#running;
  }

  async #run(): Promise<void> {
    if (this.#isIncomplete) this.#parts.writeAgain();
    this.#isIncomplete = true;
    await this.#parts.sync();
    this.#isIncomplete = false;
  }
}
