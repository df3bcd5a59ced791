/** Cuts the connections on which the server has not answered in time. */
import type { Connection } from 'mariadb';
import { systemClock } from '../../clock/clock.js';
import { AppError } from '../../errors/app-error.js';
import type { MariadbModule } from './driver-module.js';

interface SilentParts {
  readonly driver: Pick<MariadbModule, 'cut'>;
  /** Milliseconds; 0 = without limit. */
  readonly answer: number;
}

export class SilentConnections {
  readonly #parts: SilentParts;
  /** Null when nothing runs. Entries stay, because deleting them grows tables all the time. */
  readonly #running = new Map<Connection, number | null>();
  readonly #cut = new WeakSet<Connection>();

  constructor(parts: SilentParts) {
    this.#parts = parts;
  }

  begins(connection: Connection): void {
    this.#running.set(connection, systemClock.elapsed());
  }

  ends(connection: Connection): void {
    this.#running.set(connection, null);
  }

  async run<T>(connection: Connection, work: () => Promise<T>): Promise<T> {
    this.begins(connection);
    try {
      return await work();
    } catch (error) {
      // The driver reports a cut socket like any other that broke, but the server would hang the next time too.
      if (this.#cut.has(connection)) throw new AppError('unavailable', { details: { retryAfter: 5 }, cause: error });
      throw error;
    } finally {
      this.ends(connection);
    }
  }

  cutSilent(): void {
    const { answer, driver } = this.#parts;
    const latest = answer > 0 ? systemClock.elapsed() - answer : Number.NEGATIVE_INFINITY;
    for (const [connection, started] of this.#running) {
      if (started !== null && started >= latest) continue;
      this.#running.delete(connection);
      if (started === null) continue;
      this.#cut.add(connection);
      driver.cut(connection);
    }
  }
}
