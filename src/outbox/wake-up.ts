/** Waiting for something to happen, for one who waits at a time: what happened before the wait ends it at once. */
import type { Clock } from '../clock/clock.js';

export class WakeUp {
  readonly #clock: Clock;
  #happened = new AbortController();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  call(): void {
    // Aborting makes an error with a stack each time, also when it has no effect.
    if (!this.#happened.signal.aborted) this.#happened.abort();
  }

  /** Resolves at the first call since the last wait, or after the time. */
  async wait(atMostMs: number): Promise<void> {
    await this.#clock.sleep(atMostMs, this.#happened.signal);
    if (this.#happened.signal.aborted) this.#happened = new AbortController();
  }
}
