/**
 * Notes when credentials were last used, outside every request: at most once a minute for each, gathered for a second.
 * A use that cannot be written is lost, and reported unless the database is away.
 */
import type { Clock, Timer } from '../../clock/clock.js';
import type { Log } from '../../log/observation.js';
import { reportFailure } from '../../log/report-failure.js';
import { LruMap } from '../../values/lru-map.js';

/** Milliseconds between two writes of one credential. */
export const useInterval = 60_000;
/** Milliseconds for which uses are gathered into one write. */
const gatherFor = 1000;
const most = 10_000;

/** A credential and when it was used, Unix milliseconds. */
export type Use<K> = readonly [credential: K, at: number];

export interface UsesDeps<K> {
  readonly clock: Clock;
  readonly log: Log;
  /** What the credentials are called in reports. */
  readonly of: string;
  /** Gets the uses in order of the credentials. Another process may have written a use of the last minute. */
  write(uses: readonly Use<K>[]): Promise<unknown>;
}

export class Uses<K extends string | number> {
  readonly #deps: UsesDeps<K>;
  /** When this process last noted a use for writing, by the clock that never goes back. */
  readonly #noted = new LruMap<K, number>(most);
  #waiting = new Map<K, number>();
  #timer: Timer | null = null;
  #writing: Promise<void> = Promise.resolve();

  constructor(deps: UsesDeps<K>) {
    this.#deps = deps;
  }

  /** Only for credentials that were verified. */
  note(credential: K): void {
    const { clock } = this.#deps;
    const elapsed = clock.elapsed();
    const before = this.#noted.get(credential);
    if (before !== undefined && elapsed - before < useInterval) return;
    this.#noted.set(credential, elapsed);
    this.#waiting.set(credential, clock.now());
    this.#timer ??= clock.after(gatherFor, () => void this.flush());
  }

  /** Writes the waiting uses; resolves when they are written or given up. Never rejects. */
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
