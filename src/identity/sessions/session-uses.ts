/**
 * Puts off the end of sessions that are used: at most once a minute per session, gathered for a second, outside every
 * request. A use that cannot be written is lost, and reported unless the database is away; nobody waits for it.
 */

import type { Clock, Timer } from '../../clock/clock.js';
import type { Log } from '../../log/observation.js';
import { reportFailure } from '../../log/report-failure.js';
import type { Database } from '../../store/base/database.js';
import { batchesOf } from '../../values/batches.js';
import { noteSessionUses } from '../models/sessions.js';

/** Milliseconds between two writes of one session. */
export const useInterval = 60_000;
/** Milliseconds for which uses are gathered into one write. */
const gatherFor = 1000;
/** Sessions of one statement. */
const together = 200;

export interface SessionUsesDeps {
  readonly own: Database;
  readonly clock: Clock;
  readonly log: Log;
  /** Milliseconds without a use after which a session ends. */
  readonly idleMs: number;
}

export class SessionUses {
  readonly #deps: SessionUsesDeps;
  #waiting = new Set<string>();
  #timer: Timer | null = null;
  #writing: Promise<void> = Promise.resolve();

  constructor(deps: SessionUsesDeps) {
    this.#deps = deps;
  }

  note(idHash: string): void {
    this.#waiting.add(idHash);
    this.#timer ??= this.#deps.clock.after(gatherFor, () => void this.flush());
  }

  /** Writes what waits; resolves when it is written or given up. Never rejects. */
  flush(): Promise<void> {
    this.#timer?.stop();
    this.#timer = null;
    // In one order everywhere, so that transactions do not wait for each other in a circle.
    const used = [...this.#waiting].sort();
    this.#waiting = new Set();
    if (used.length > 0) this.#writing = this.#writing.then(() => this.#write(used));
    return this.#writing;
  }

  async #write(used: readonly string[]): Promise<void> {
    const { own, log, idleMs } = this.#deps;
    try {
      for (const idHashes of batchesOf(used, together)) {
        await own.write((tx) => noteSessionUses(tx, { idHashes, idleMs, intervalMs: useInterval }));
      }
    } catch (error) {
      // Must not throw: nobody listens, and no request depends on it.
      reportFailure(log, { during: 'writing when sessions were last used', error });
    }
  }
}
