/** Work waits here for one of few places: its callers take turns, and what waits too long or is too much is refused. */
import { type Clock, systemClock, type Timer } from './clock.js';
import { type Asker, FairQueue, type Turn } from './fair-queue.js';

interface LineOptions {
  readonly places: number;
  readonly perCaller?: number;
  /** What may wait, in the measure of `expected`. */
  readonly mostWaiting?: number;
  /** Milliseconds; 0 or left out = no limit. */
  readonly wait?: number;
  readonly clock?: Pick<Clock, 'after'>;
  readonly refusal: (why: 'full' | 'late' | 'closed') => Error;
}

/** Ends a turn; a second call does nothing. `took` is in the measure of `expected`. */
type EndTurn = (took?: number) => void;

interface Waiting extends Turn {
  readonly begin: (end: EndTurn) => void;
  readonly refuse: (error: Error) => void;
  timer?: Timer;
}

export const program: Asker = Object.freeze({ group: '', caller: '' });

export class WaitingLine {
  readonly #options: LineOptions;
  readonly #queue: FairQueue<Waiting>;
  #isClosed = false;

  constructor(options: LineOptions) {
    this.#options = options;
    const { places, perCaller = places, mostWaiting: backlog = Number.POSITIVE_INFINITY } = options;
    this.#queue = new FairQueue({ places, perCaller, backlog });
  }

  /** Resolves when the turn begins; throws `refusal`. */
  take({ asker = program, expected = 1 }: Partial<Turn> = {}): Promise<EndTurn> {
    const { wait = 0, clock = systemClock, refusal } = this.#options;
    return new Promise((begin, refuse) => {
      if (this.#isClosed) return refuse(refusal('closed'));
      const turn: Waiting = { asker, expected, begin, refuse };
      const refused = this.#queue.add(turn);
      if (refused !== null) this.#refuse(refused, 'full');
      this.#beginNext();
      if (wait === 0 || !this.#queue.waits(turn)) return;
      turn.timer = clock.after(wait, () => {
        if (this.#queue.remove(turn)) this.#refuse(turn, 'late');
      });
    });
  }

  async run<T>(work: () => Promise<T>, turn: Partial<Turn> = {}): Promise<T> {
    const end = await this.take(turn);
    try {
      return await work();
    } finally {
      end();
    }
  }

  close(): void {
    this.#isClosed = true;
    for (const turn of this.#queue.waiting) {
      this.#queue.remove(turn);
      this.#refuse(turn, 'closed');
    }
  }

  #refuse({ timer, refuse }: Waiting, why: 'full' | 'late' | 'closed'): void {
    timer?.stop();
    refuse(this.#options.refusal(why));
  }

  #beginNext(): void {
    for (let turn = this.#queue.next(); turn !== null; turn = this.#queue.next()) this.#begin(turn);
  }

  #begin(turn: Waiting): void {
    turn.timer?.stop();
    let isOver = false;
    turn.begin((took = turn.expected) => {
      if (isOver) return;
      isOver = true;
      this.#queue.end(turn, took);
      this.#beginNext();
    });
  }
}

/** Milliseconds after which no further work begins in a turn of the event loop. */
const turnMs = 4;
/** However short they are: what they leave for later takes time too. */
const mostInTurn = 64;

/** While each turn brings a connection, as Node accepts them, they and the waiting work share the time. */
export class AcceptedConnections {
  readonly #clock: Clock;
  #count = 0;
  #known = 0;
  /** First for the work, then as long for the connections. Null while no connections arrive. */
  #share: { readonly since: number; readonly ms: number; readonly isForWork: boolean } | null = null;
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

  /** The same for all calls in a turn of the event loop. */
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
    const { since, ms, isForWork } = this.#share ?? { since: now, ms: turnMs, isForWork: false };
    const took = now - since;
    if (took < ms) this.#share ??= { since, ms, isForWork };
    else this.#share = { since: now, ms: isForWork ? took : turnMs, isForWork: !isForWork };
    return !this.#share.isForWork;
  }
}

/** Of all servers of this process: requests and results of the database wait for each other's turns. */
export const acceptedConnections = new AcceptedConnections(systemClock);

export class Turns {
  readonly #clock: Clock;
  readonly #accepted: AcceptedConnections;
  readonly #queue: (() => void)[] = [];
  /** When the first work of this turn began, or of the turns since one brought no connection. */
  #since: number | null = null;
  #due = 0;
  /** The turn in which waiting work begins, and whether its time is the connections'. */
  #turn: { readonly since: number; readonly isForConnections: boolean } | null = null;
  #known: number;

  constructor(clock: Clock, accepted: AcceptedConnections = acceptedConnections) {
    this.#clock = clock;
    this.#accepted = accepted;
    this.#known = accepted.count;
  }

  hasRoom(now = this.#clock.elapsed()): boolean {
    if (this.#queue.length > 0) return false;
    if (this.#since === null) {
      this.#since = now;
      setImmediate(this.#endTurn);
    }
    return now - this.#since < turnMs;
  }

  queue(work: () => void): void {
    this.#queue.push(work);
    this.#lookAgain();
  }

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

/** Whether running code begins requests that arrived together: a look at the database is later than all of them. */
export const arrivals = {
  isArriving: false,
  /** Requests behind another one of their connection: an earlier look may be too early for the last of them. */
  behind: 0,

  /** `together` is false for a request behind another one of its connection: it may have arrived at any time since. */
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
