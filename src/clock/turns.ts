/**
 * Shares the event loop between pieces of work that arrive together, such as requests or results of the database. When
 * the work of a turn has used its time, further pieces start in later turns, in the order of arrival, so that new
 * connections are read and health is answered in between.
 */
import { type Clock, systemClock } from './clock.js';

/** Milliseconds after which no further work begins in a turn of the event loop. */
const turnMs = 4;
/** Pieces of waiting work that begin in one turn, however short they are: what they leave for later takes time too. */
const mostInTurn = 64;

/**
 * Connections that the process accepts, one in a turn of the event loop as Node does it. While each turn brings one, all
 * waiting work and the connections share the time: otherwise the last of many connections would be accepted after all of
 * that work.
 */
export class AcceptedConnections {
  readonly #clock: Clock;
  #count = 0;
  /** How many the last turn knew in which work waited. */
  #known = 0;
  /** The time that is given to the connections, or after it to the work. Null while no connections arrive. */
  #share: { readonly since: number; readonly isForWork: boolean } | null = null;
  /** Of this turn; null before anything asks. */
  #haveTurn: boolean | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get count(): number {
    return this.#count;
  }

  add(): void {
    this.#count += 1;
  }

  /** Whether no waiting work begins in this turn. All who ask in a turn get the same answer. */
  haveTurn(): boolean {
    if (this.#haveTurn === null) {
      this.#haveTurn = this.#decide();
      setImmediate(this.#endTurn);
    }
    return this.#haveTurn;
  }

  readonly #endTurn = (): void => {
    this.#haveTurn = null;
  };

  #decide(): boolean {
    const isArriving = this.#count !== this.#known;
    this.#known = this.#count;
    if (!isArriving) {
      this.#share = null;
      return false;
    }
    const now = this.#clock.elapsed();
    if (this.#share === null) this.#share = { since: now, isForWork: false };
    else if (now - this.#share.since >= turnMs) this.#share = { since: now, isForWork: !this.#share.isForWork };
    return !this.#share.isForWork;
  }
}

/** Those of all servers of this process: requests and results of the database wait for each other's turns. */
export const acceptedConnections = new AcceptedConnections(systemClock);

export class Turns {
  readonly #clock: Clock;
  readonly #accepted: AcceptedConnections;
  readonly #queue: (() => void)[] = [];
  /** When the first work began of this turn, or of the turns since one brought no connection. Null before it. */
  #since: number | null = null;
  /** Looks at the queue that this turn or the next one still makes. */
  #due = 0;
  /** The turn in which waiting work begins: when it did first, and whether its time is the connections'. Null before it. */
  #turn: { readonly since: number; readonly isForConnections: boolean } | null = null;
  /** Connections that the last turn with work knew. */
  #known: number;

  constructor(clock: Clock, accepted: AcceptedConnections = acceptedConnections) {
    this.#clock = clock;
    this.#accepted = accepted;
    this.#known = accepted.count;
  }

  /** Whether work that arrived just now may begin at once. */
  hasRoom(now = this.#clock.elapsed()): boolean {
    if (this.#queue.length > 0) return false;
    if (this.#since === null) {
      this.#since = now;
      setImmediate(this.#endTurn);
    }
    return now - this.#since < turnMs;
  }

  /** Runs the work in a later turn, after the work that was queued before it. */
  queue(work: () => void): void {
    this.#queue.push(work);
    this.#lookAgain();
  }

  /** Resolves at once while this turn has time, else in a later turn. */
  async pass(): Promise<void> {
    if (!this.hasRoom()) await new Promise<void>((resolve) => this.queue(resolve));
  }

  readonly #endTurn = (): void => {
    const { count } = this.#accepted;
    const isArriving = count !== this.#known;
    this.#known = count;
    if (isArriving) setImmediate(this.#endTurn);
    else this.#since = null;
  };

  /** Node runs what a piece of work has left for later, such as the rest of a request, before the next look. */
  #lookAgain(): void {
    for (; this.#due < Math.min(this.#queue.length, mostInTurn); this.#due += 1) setImmediate(this.#next);
  }

  /** The work leaves the queue when it has run, so that a request which it reads waits its turn too. */
  readonly #next = (): void => {
    this.#due -= 1;
    const now = this.#clock.elapsed();
    if (this.#turn === null) {
      this.#turn = { since: now, isForConnections: this.#accepted.haveTurn() };
      // Runs before the looks of the next turn.
      setImmediate(this.#endWork);
    }
    const { since, isForConnections } = this.#turn;
    if (!isForConnections && now - since < turnMs) {
      this.#queue[0]?.();
      this.#queue.shift();
    }
    this.#lookAgain();
  };

  readonly #endWork = (): void => {
    this.#turn = null;
  };
}

/**
 * Knows whether the running code is the beginning of a request that the event loop read together with others. A look at
 * the database is then later than the arrival of all of them. Code that continues after a wait runs in another phase of
 * the loop: the requests that are read next may have arrived after a look made there.
 */
export const arrivals = {
  /** True while `receive` runs the beginning of a request. */
  isArriving: false,
  /** Number of requests that came behind another one of their connection. An earlier look may be too early for the last of them. */
  behind: 0,

  /**
   * Runs what is done with a request before anything has to be waited for. `together` is false for a request that came
   * behind another one of its connection: it was read with that one and may have arrived at any time since.
   */
  receive(work: () => void, { together }: { readonly together: boolean }): void {
    arrivals.isArriving = together;
    if (!together) arrivals.behind += 1;
    try {
      work();
    } finally {
      arrivals.isArriving = false;
    }
  },
};
