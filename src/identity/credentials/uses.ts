/** Notes when credentials were last used, at most once a minute each and outside every request. */
import type { Clock, Timer } from '../../clock/clock.js';
import { reportFailure } from '../../log/failures.js';
import type { Log } from '../../log/observation.js';

export const useInterval = 60_000;
const gatherFor = 1000;

/** `at` is Unix milliseconds. */
export type Use<K> = readonly [credential: K, at: number];

export function isUseDue(lastUsedOn: number | null, now: number): boolean {
  return lastUsedOn === null || now - lastUsedOn >= useInterval;
}

interface UsesDeps<K> {
  readonly clock: Clock;
  readonly log: Log;
  readonly of: string;
  /** Uses are in order of the credentials. Another process may have written one of the last minute. */
  write(uses: readonly Use<K>[]): Promise<unknown>;
}

export class Uses<K extends string | number> {
  readonly #deps: UsesDeps<K>;
  #waiting = new Map<K, number>();
  #timer: Timer | null = null;
  #writing: Promise<void> = Promise.resolve();
  /** After a failure, by the clock that never goes back. */
  #pausedUntil = Number.NEGATIVE_INFINITY;

  constructor(deps: UsesDeps<K>) {
    this.#deps = deps;
  }

  /** Of a credential whose row has no use of the last minute. */
  note(credential: K): void {
    const { clock } = this.#deps;
    if (clock.elapsed() < this.#pausedUntil) return;
    this.#waiting.set(credential, clock.now());
    this.#timer ??= clock.after(gatherFor, () => void this.flush());
  }

  /** Never rejects. */
  flush(): Promise<void> {
    this.#timer?.stop();
    this.#timer = null;
    // In one order everywhere, so that transactions do not wait for each other in a circle.
    const uses = [...this.#waiting].sort(([one], [other]) => (one < other ? -1 : 1));
    this.#waiting = new Map();
    if (uses.length > 0) this.#writing = this.#writing.then(() => this.#write(uses));
    return this.#writing;
  }

  async #write(uses: readonly Use<K>[]): Promise<void> {
    try {
      await this.#deps.write(uses);
    } catch (error) {
      // Must not throw: no request depends on it.
      this.#pausedUntil = this.#deps.clock.elapsed() + useInterval;
      reportFailure(this.#deps.log, { during: `writing when ${this.#deps.of} were last used`, error });
    }
  }
}
