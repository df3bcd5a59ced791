/** How many deliveries a receiver gets at a time: more while it answers quickly, one after a failure, none in a pause. */

interface Standing {
  /** Quick answers in a row; 0 after a failure. */
  successes: number;
  /** In a row. */
  failures: number;
  /** By the clock that never goes back. */
  pausedUntil: number;
  pauseMs: number;
}

/** Of any receiver, even an unknown one. */
export const basePlaces = 4;
/** Quick answers that earn a further place. */
const successesPerPlace = 4;
const slowMs = 500;
/** Failures in a row that pause a receiver; each further failure doubles the pause. */
const failuresToPause = 10;
const shortestPauseMs = 30_000;
const longestPauseMs = 300_000;

export class Breaker {
  readonly #elapsed: () => number;
  readonly #standings = new Map<number, Standing>();

  constructor(elapsed: () => number) {
    this.#elapsed = elapsed;
  }

  /** Those above `basePlaces` only while no other receiver wants them. */
  places(receiver: number): number {
    const { successes, failures, pausedUntil } = this.#standingOf(receiver);
    if (failures === 0) return basePlaces + Math.floor(successes / successesPerPlace);
    return this.#elapsed() < pausedUntil ? 0 : 1;
  }

  succeeded(receiver: number, durationMs: number): void {
    const isQuick = durationMs <= slowMs;
    if (!isQuick) this.#standings.delete(receiver);
    else this.#standings.set(receiver, { ...unknown, successes: this.#standingOf(receiver).successes + 1 });
  }

  /** Milliseconds of the pause that begins with this failure; null when none does. */
  failed(receiver: number): number | null {
    const standing = { ...this.#standingOf(receiver), successes: 0 };
    this.#standings.set(receiver, standing);
    standing.failures += 1;
    // Failures of attempts that were under way when the pause began do not count.
    if (standing.failures < failuresToPause || this.#elapsed() < standing.pausedUntil) return null;
    standing.pauseMs = standing.pauseMs === 0 ? shortestPauseMs : Math.min(standing.pauseMs * 2, longestPauseMs);
    standing.pausedUntil = this.#elapsed() + standing.pauseMs;
    return standing.pauseMs;
  }

  #standingOf(receiver: number): Standing {
    return this.#standings.get(receiver) ?? unknown;
  }
}

const unknown: Standing = Object.freeze({ successes: 0, failures: 0, pausedUntil: 0, pauseMs: 0 });
