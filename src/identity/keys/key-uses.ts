/**
 * Writes when keys were last used: at most once a minute per key, gathered for a second, outside every request. A use
 * that cannot be written is lost, and reported unless the database is away; nobody waits for it.
 */
import type { Clock, Timer } from '../../clock/clock.js';
import type { Log } from '../../log/observation.js';
import { reportFailure } from '../../log/report-failure.js';
import type { Database } from '../../store/base/database.js';
import { LruMap } from '../../values/lru-map.js';
import { noteApiKeyUse } from '../models/api-keys.js';

/** Milliseconds between two writes of one key. */
const interval = 60_000;
/** Milliseconds for which uses are gathered into one write. */
const gatherFor = 1000;
const mostKeys = 10_000;

export interface KeyUsesDeps {
  readonly own: Database;
  readonly clock: Clock;
  readonly log: Log;
}

export class KeyUses {
  readonly #deps: KeyUsesDeps;
  /** Key id -> when this process last put it down for writing, by the clock that never goes back. */
  readonly #noted = new LruMap<number, number>(mostKeys);
  /** Key id -> time of the use, Unix milliseconds. */
  #waiting = new Map<number, number>();
  #timer: Timer | null = null;
  #writing: Promise<void> = Promise.resolve();

  constructor(deps: KeyUsesDeps) {
    this.#deps = deps;
  }

  note(id: number): void {
    const { clock } = this.#deps;
    const elapsed = clock.elapsed();
    const before = this.#noted.get(id);
    if (before !== undefined && elapsed - before < interval) return;
    this.#noted.set(id, elapsed);
    this.#waiting.set(id, clock.now());
    this.#timer ??= clock.after(gatherFor, () => void this.flush());
  }

  /** Writes what waits; resolves when it is written or given up. Never rejects. */
  flush(): Promise<void> {
    this.#timer?.stop();
    this.#timer = null;
    const uses = [...this.#waiting].sort(([left], [right]) => left - right);
    this.#waiting = new Map();
    if (uses.length > 0) this.#writing = this.#writing.then(() => this.#write(uses));
    return this.#writing;
  }

  async #write(uses: readonly (readonly [number, number])[]): Promise<void> {
    const { own, log } = this.#deps;
    try {
      await own.write(async (tx) => {
        for (const [id, at] of uses) await noteApiKeyUse(tx, { id, at, interval });
      });
    } catch (error) {
      // Must not throw: nobody listens, and no request depends on it.
      reportFailure(log, { during: 'writing when API keys were last used', error });
    }
  }
}
