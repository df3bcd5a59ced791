/** Waiting for something to happen, for one who waits at a time: what happened before the wait ends it at once. */
import type { Clock } from '../../clock/clock.js';

const happened = 'something happened';

export class WakeUp {
  readonly #clock: Clock;
  #happened = new AbortController();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  call(): void {
    // Without a reason of ours each abort makes an error with a stack.
    if (!this.#happened.signal.aborted) this.#happened.abort(happened);
  }

  /** Resolves at the first call since the last wait, or after the time. */
  async wait(atMostMs: number): Promise<void> {
    await this.#clock.sleep(atMostMs, this.#happened.signal);
    if (this.#happened.signal.aborted) this.#happened = new AbortController();
  }
}
