/**
 * Finds out when more requests arrive than the server can answer, and which of them are refused then. Waiting alone does
 * not show it: clients that wait for their answers before they ask again fill a queue that does not grow. Requests are
 * refused from when the queue keeps growing, or one of them has waited too long, until none has to be.
 */
import type { Clock } from '../../clock/clock.js';

/** Milliseconds in which arrivals and answers are compared. */
const periodMs = 150;
/** Periods in a row with too many arrivals, from which on requests are refused. */
const mostGrowing = 3;
/** Periods in a row without a refusal, after which none is refused. */
const calm = 4;
/** Arrivals in a period are too many from this multiple of the answers on, and some more. */
const growth = 1.5;
const someMore = 8;
/** Milliseconds that a request may wait while requests are refused. */
const shortWaitMs = 8;
/** Requests that may be under way in any case while others are refused: somewhat more than the connections to MariaDB. */
const fewestUnderWay = 16;
/** Requests under way that do not show that others wait for long. */
const fewestWaiting = 32;
/** Connections that cannot be too many, however slow the machine is. */
const fewestConnections = 64;
/** The part of the longest wait from which on a growing queue is too long. */
const latePart = 0.1;
/** What is left of the best rate after a period: half of it after five seconds. */
const remembered = 0.98;
/** Requests that are refused for one that begins. */
const mostRefused = 16;
/** Requests that began earlier than in the last so many periods wait for something else than the load. */
const recentPeriods = 7;

/** What happened in a period. */
export interface Period {
  readonly since: number;
  arrived: number;
  answered: number;
  refused: number;
  /** Requests that began in it and have no answer. */
  open: number;
  longestWait: number;
}

interface LoadDeps {
  readonly clock: Pick<Clock, 'elapsed'>;
  /** Milliseconds after which a request that waits is refused in any case. */
  readonly longestWaitMs: number;
  /** Open connections, each of which has one request at a time. */
  readonly connections: () => number;
}

export class Load {
  readonly #deps: LoadDeps;
  /** The newest is the last. */
  #periods: Period[];
  #growing = 0;
  #calm = 0;
  #isTooMuch = false;
  /** Answers in a millisecond of the last period, and the most of the last seconds. */
  #rate = 0;
  #bestRate = 0;

  constructor(deps: LoadDeps) {
    this.#deps = deps;
    this.#periods = [newPeriod(deps.clock.elapsed())];
  }

  /** The times that requests give are those of the clock: one look at it serves for all that is asked about a request. */
  arrived(now?: number): void {
    this.#now(now).arrived += 1;
  }

  /**
   * Takes the next of the requests that wait, in the order of their arrival. While too many arrive, the oldest that have
   * waited too long are refused and the newest begins: refusing all of them could take all of the time.
   */
  next<T extends { readonly since: number }>(waiting: T[]): { readonly refused: readonly T[]; readonly begins?: T } {
    const period = this.#now();
    const now = this.#deps.clock.elapsed();
    const isOld = ({ since }: T) => now - since > shortWaitMs;
    const [first] = waiting;
    if (first === undefined) return { refused: [] };
    period.longestWait = Math.max(period.longestWait, now - first.since);
    if (now - first.since > this.#deps.longestWaitMs && !this.#areFew()) this.#isTooMuch = true;
    if (!this.#isTooMuch) return { refused: [], begins: waiting.shift() ?? first };
    const old = waiting.slice(0, Math.min(mostRefused, waiting.length - 1)).filter(isOld);
    const refused = waiting.splice(0, old.length);
    const begins = waiting.pop();
    return begins === undefined ? { refused } : { refused, begins };
  }

  /** Whether a request that could begin is refused because too many are under way. */
  isCrowded(now?: number): boolean {
    this.#now(now);
    return this.#isTooMuch && this.#exceeds(shortWaitMs, fewestUnderWay);
  }

  /** A request was refused. */
  refused(): void {
    this.#now().refused += 1;
  }

  /** A request has begun; `answered` takes what is given here. */
  begun(now?: number): Period {
    const period = this.#now(now);
    period.open += 1;
    return period;
  }

  answered(begun: Period, now?: number): void {
    begun.open -= 1;
    this.#now(now).answered += 1;
  }

  #areFew(): boolean {
    return this.#deps.connections() <= fewestConnections;
  }

  /** More requests are under way than are answered in so many milliseconds, and more than `least`. */
  #exceeds(ms: number, least: number): boolean {
    const open = this.#periods.reduce((sum, period) => sum + period.open, 0);
    return open > Math.max(least, this.#rate * ms);
  }

  #now(now = this.#deps.clock.elapsed()): Period {
    const last = this.#periods[this.#periods.length - 1];
    if (last !== undefined && now - last.since < periodMs) return last;
    if (last !== undefined) this.#judge(last, now - last.since);
    const next = newPeriod(now);
    this.#periods.push(next);
    this.#periods = this.#periods.filter(({ since }) => now - since <= recentPeriods * periodMs);
    return next;
  }

  #judge(period: Period, ms: number): void {
    const { answered, refused, longestWait } = period;
    this.#rate = answered / ms;
    this.#bestRate = Math.max(this.#rate, this.#bestRate * remembered);
    const lateMs = this.#deps.longestWaitMs * latePart;
    this.#growing = areTooMany(period) || areTooMany(withoutCrowd(this.#periods)) ? this.#growing + 1 : 0;
    const isLate = longestWait > lateMs || this.#exceeds(lateMs, fewestWaiting);
    this.#calm = refused === 0 ? this.#calm + 1 : 0;
    // All connections together could not make a request wait for long.
    const isHarmless = this.#areFew() || this.#deps.connections() <= this.#bestRate * lateMs;
    if (!isHarmless && isLate && this.#growing >= mostGrowing) this.#isTooMuch = true;
    else if (isHarmless || this.#calm >= calm) this.#isTooMuch = false;
  }
}

type Counts = Pick<Period, 'arrived' | 'answered'>;

function areTooMany({ arrived, answered }: Counts): boolean {
  return arrived > answered * growth + someMore;
}

/**
 * What happened in several periods together: where answers take long, one of them has too few to tell. Without the one in
 * which most arrived, so that a crowd which comes once does not count again and again.
 */
function withoutCrowd(periods: readonly Period[]): Counts {
  const crowd = periods.reduce((one, other) => (other.arrived > one.arrived ? other : one));
  const others = periods.filter((period) => period !== crowd);
  const sum = (count: (period: Period) => number) => others.reduce((all, period) => all + count(period), 0);
  return { arrived: sum((period) => period.arrived), answered: sum((period) => period.answered) };
}

function newPeriod(since: number): Period {
  return { since, arrived: 0, answered: 0, refused: 0, open: 0, longestWait: 0 };
}
