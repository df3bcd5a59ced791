/**
 * The line in which requests wait for their turn, and which of them are refused when they would wait for too long. How long
 * that is follows from how fast requests were answered while others waited: clients that wait for their answers before they
 * ask again fill a line that does not grow, and a crowd that comes once leaves again.
 */
import type { Clock } from '../../clock/clock.js';
import { FairQueue, type Turn } from '../../clock/fair-queue.js';

/**
 * Requests that may be under way, so that the others wait here, where callers have turns; and connections that are never too
 * many, however slow the machine is.
 */
const mostUnderWay = 64;
/** Of one caller, so that others find a free place. */
const mostOfCaller = 48;
/** Milliseconds that a request may wait while requests are refused, and the only one of its caller. */
const shortWaitMs = 8;
const onlyWaitMs = 200;
/** Milliseconds without a refusal, after which none is refused. */
const calmMs = 600;
/** Milliseconds in which nothing waited, after which the measured speed says nothing of the next requests. */
const forgetMs = 1000;
/** Requests that are refused for one that begins: a client that is refused sends the next, and refusing takes time too. */
const mostRefused = 8;

/** A request that waits for its turn. Each counts the same, however long it takes. */
export interface WaitingTurn extends Turn {
  readonly since: number;
}

interface LoadDeps {
  readonly clock: Pick<Clock, 'elapsed'>;
  /** Milliseconds; when the requests that wait would take longer, some of them are refused. */
  readonly longestWaitMs: number;
  /** Open connections, each of which has one request at a time. */
  readonly connections: () => number;
}

export class Load<T extends WaitingTurn> {
  readonly #deps: LoadDeps;
  readonly #line: FairQueue<T>;
  /** Milliseconds of the last seconds in which requests waited, and what was answered in them. */
  #busyMs = 0;
  #answered = 0;
  /** When that was last brought up to date, when something last waited, and when a request was refused. */
  #seenAt: number;
  #waitedAt: number;
  #refusedAt = 0;
  #isTooMuch = false;

  constructor(deps: LoadDeps) {
    this.#deps = deps;
    const backlog = Number.POSITIVE_INFINITY;
    this.#line = new FairQueue({ places: mostUnderWay, perCaller: mostOfCaller, backlog });
    this.#seenAt = this.#waitedAt = deps.clock.elapsed();
  }

  get waiting(): number {
    return this.#line.backlog;
  }

  add(turn: T): void {
    this.#pass(turn.since);
    this.#line.add(turn);
  }

  /** The request needs no turn any more. */
  remove(turn: T): void {
    this.#pass(this.#deps.clock.elapsed());
    this.#line.remove(turn);
  }

  /**
   * The next of the requests that wait. While they would wait for too long, those of the caller with most of them are
   * refused when they have waited for a short time, and of a caller with most of all the newest begins: its client still waits.
   */
  next(now = this.#deps.clock.elapsed()): { readonly refused: readonly T[]; readonly begins: T | null } {
    this.#pass(now);
    this.#judge(now);
    const refused: T[] = [];
    while (this.#isTooMuch && refused.length < mostRefused) {
      const { 0: oldest, length } = this.#line.longest();
      if (oldest === undefined || now - oldest.since <= (length > 1 ? shortWaitMs : onlyWaitMs)) break;
      this.#line.remove(oldest);
      refused.push(oldest);
      this.#refusedAt = now;
    }
    return { refused, begins: this.#line.next(this.#isTooMuch ? 'newest' : 'oldest') };
  }

  /** A request that had its turn is answered, or has nothing more to do with the load. */
  end(turn: T, now = this.#deps.clock.elapsed()): void {
    this.#pass(now);
    if (this.#line.backlog > 0) this.#answered += 1;
    this.#line.end(turn, turn.expected);
  }

  /** Adds the time since the last call, in which as many waited as now. */
  #pass(now: number): void {
    const { longestWaitMs } = this.#deps;
    if (this.#line.backlog > 0) {
      this.#busyMs += now - this.#seenAt;
      this.#waitedAt = now;
      if (this.#busyMs > longestWaitMs) {
        this.#busyMs /= 2;
        this.#answered /= 2;
      }
    } else if (now - this.#waitedAt > forgetMs) {
      this.#busyMs = 0;
      this.#answered = 0;
    }
    this.#seenAt = now;
  }

  #judge(now: number): void {
    const { longestWaitMs, connections } = this.#deps;
    const answerMs = this.#busyMs / (this.#answered + 1);
    if (!this.#isTooMuch) {
      // One slow request says little about those behind it.
      const isKnown = this.#busyMs >= longestWaitMs / 2;
      this.#isTooMuch = isKnown && connections() > mostUnderWay && this.#line.backlog * answerMs > longestWaitMs;
      this.#refusedAt = now;
      return;
    }
    // All connections together could not make a request wait for long.
    const isHarmless = connections() <= Math.max(mostUnderWay, (longestWaitMs * 0.1) / answerMs);
    if (isHarmless || now - this.#refusedAt > calmMs) this.#isTooMuch = false;
  }
}
