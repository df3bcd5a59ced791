/** Pauses receivers that fail, so that they neither use up attempts nor take the places of others. */

interface Standing {
  failures: number;
  /** By the clock that never goes back. */
  pausedUntil: number;
  pauseMs: number;
}

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

  /** All, one to try the receiver, or none. */
  allows(receiver: number, all: number): number {
    const standing = this.#standings.get(receiver);
    if (standing === undefined) return all;
    return this.#elapsed() < standing.pausedUntil ? 0 : 1;
  }

  succeeded(receiver: number): void {
    this.#standings.delete(receiver);
  }

  /** Milliseconds of the pause that begins with this failure; null when none does. */
  failed(receiver: number): number | null {
    const standing = this.#standings.get(receiver) ?? { failures: 0, pausedUntil: 0, pauseMs: 0 };
    this.#standings.set(receiver, standing);
    standing.failures += 1;
    // Failures of attempts that were under way when the pause began do not count.
    if (standing.failures < failuresToPause || this.#elapsed() < standing.pausedUntil) return null;
    standing.pauseMs = standing.pauseMs === 0 ? shortestPauseMs : Math.min(standing.pauseMs * 2, longestPauseMs);
    standing.pausedUntil = this.#elapsed() + standing.pauseMs;
    return standing.pauseMs;
  }
}
