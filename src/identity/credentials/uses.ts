/** Notes when credentials were last used, at most once a minute each and outside every request. */
import type { Clock, Timer } from '../../clock/clock.js';
import { reportFailure } from '../../log/failures.js';
import type { Log } from '../../log/observation.js';
import { LruMap } from '../../values/lru-map.js';

export const useInterval = 60_000;
const gatherFor = 1000;
const most = 10_000;

/** `at` is Unix milliseconds. */
export type Use<K> = readonly [credential: K, at: number];

interface UsesDeps<K> {
  readonly clock: Clock;
  readonly log: Log;
  readonly of: string;
  /** Uses are in order of the credentials. Another process may have written one of the last minute. */
  write(uses: readonly Use<K>[]): Promise<unknown>;
}

export class Uses<K extends string | number> {
  readonly #deps: UsesDeps<K>;
  /** By the clock that never goes back. */
  readonly #noted = new LruMap<K, number>(most);
  #waiting = new Map<K, number>();
  #timer: Timer | null = null;
  #writing: Promise<void> = Promise.resolve();

  constructor(deps: UsesDeps<K>) {
    this.#deps = deps;
  }

  note(credential: K): void {
    const { clock } = this.#deps;
    const elapsed = clock.elapsed();
    const before = this.#noted.get(credential);
    if (before !== undefined && elapsed - before < useInterval) return;
    this.#noted.set(credential, elapsed);
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
      reportFailure(this.#deps.log, { during: `writing when ${this.#deps.of} were last used`, error });
    }
  }
}
