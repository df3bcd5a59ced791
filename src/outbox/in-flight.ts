/** The deliveries of one worker that are under way, by receiver, and waiting for one of them to end. */
import type { Clock } from '../clock/clock.js';

export class InFlight {
  readonly #clock: Clock;
  readonly #byReceiver = new Map<number, number>();
  #count = 0;
  #changed = new AbortController();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get count(): number {
    return this.#count;
  }

  of(receiver: number): number {
    return this.#byReceiver.get(receiver) ?? 0;
  }

  /** Counts the work until it ends; it must not reject. */
  add(receiver: number, work: Promise<void>): void {
    this.#count += 1;
    this.#byReceiver.set(receiver, this.of(receiver) + 1);
    void work.then(() => {
      this.#count -= 1;
      const left = this.of(receiver) - 1;
      if (left > 0) this.#byReceiver.set(receiver, left);
      else this.#byReceiver.delete(receiver);
      this.#changed.abort();
    });
  }

  /** Ends every wait. */
  wake(): void {
    this.#changed.abort();
  }

  /** Resolves when one has ended since the last call, or after the time. */
  async oneEnds(atMostMs: number): Promise<void> {
    await this.#clock.sleep(atMostMs, this.#changed.signal);
    this.#reset();
  }

  /** Resolves when none is under way. */
  async allEnd(): Promise<void> {
    while (this.#count > 0) {
      const { signal } = this.#changed;
      if (!signal.aborted) {
        await new Promise<void>((resolve) => {
          signal.addEventListener('abort', () => resolve(), { once: true });
        });
      }
      this.#reset();
    }
  }

  #reset(): void {
    if (this.#changed.signal.aborted) this.#changed = new AbortController();
  }
}
