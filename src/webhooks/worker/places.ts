/** How many deliveries a receiver gets at a time, and how free places are shared out among receivers. */

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
const basePlaces = 4;
/** Quick answers that earn a further place. */
const successesPerPlace = 4;
const slowMs = 500;
/** Failures in a row that pause a receiver; each further failure doubles the pause. */
const failuresToPause = 10;
const shortestPauseMs = 30_000;
const longestPauseMs = 300_000;

/** More while it answers quickly, one after a failure, none in a pause. */
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

export interface DueReceiver {
  readonly subscriptionId: number;
  /** When its first delivery is due, Unix milliseconds. */
  readonly dueOn: number;
}

export interface Share {
  readonly subscriptionId: number;
  readonly places: number;
}

interface ShareQuestion {
  readonly due: readonly DueReceiver[];
  readonly free: number;
  /** How many more the receiver may have now. */
  readonly room: (subscriptionId: number) => number;
  /** A growing number; receivers that have waited longest come first. */
  readonly lastTurn: (subscriptionId: number) => number;
}

/** One place each in order of turn, then a second one, until nothing is free. */
export function shareOut({ due, free, room, lastTurn }: ShareQuestion): Share[] {
  const queue = due
    .map(({ subscriptionId, dueOn }) => ({ subscriptionId, dueOn, room: room(subscriptionId), places: 0 }))
    .filter((one) => one.room > 0)
    .sort((left, right) => lastTurn(left.subscriptionId) - lastTurn(right.subscriptionId) || left.dueOn - right.dueOn);
  let left = free;
  for (let round = 1; left > 0 && queue.some((one) => one.room >= round); round += 1) {
    for (const one of queue) {
      if (left === 0 || one.room < round) continue;
      one.places += 1;
      left -= 1;
    }
  }
  return queue.filter(({ places }) => places > 0).map(({ subscriptionId, places }) => ({ subscriptionId, places }));
}

interface PlanQuestion extends Omit<ShareQuestion, 'room'> {
  /** That the worker may claim; `free` are its places. */
  readonly most: number;
  /** How many places a receiver may have, and how many it has. */
  readonly places: (subscriptionId: number) => number;
  readonly taken: (subscriptionId: number) => number;
}

/** Beyond its first places a receiver gets what others leave, except for the first places of a further receiver. */
export function planClaims({ due, most, free, places, taken, lastTurn }: PlanQuestion): Share[] {
  const room = (id: number, limit: number) => Math.max(0, Math.min(limit, places(id)) - taken(id));
  const first = shareOut({ due, free: Math.min(most, free), room: (id) => room(id, basePlaces), lastTurn });
  const shares = new Map(first.map((share) => [share.subscriptionId, share.places]));
  const used = first.reduce((sum, share) => sum + share.places, 0);
  const rest = Math.max(0, Math.min(most - used, free - used - basePlaces));
  const left = (id: number) => room(id, Number.POSITIVE_INFINITY) - (shares.get(id) ?? 0);
  for (const share of shareOut({ due, free: rest, room: left, lastTurn })) {
    shares.set(share.subscriptionId, (shares.get(share.subscriptionId) ?? 0) + share.places);
  }
  return [...shares].map(([subscriptionId, wanted]) => ({ subscriptionId, places: wanted }));
}
