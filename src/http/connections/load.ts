/** The line of waiting requests, and which are refused when they would wait too long by the speed of recent answers. */
import type { Clock } from '../../clock/clock.js';
import { FairQueue, type Turn } from '../../clock/fair-queue.js';

/** These groups take turns, so that reads do not wait behind changes, which take far longer. */
export const reads = 'reads';
export const changes = 'changes';

/** Fewer connections are never too many. Requests beyond wait here, where callers have turns. */
const mostUnderWay = 64;
/** Of one caller fewer, so that others find a free place. */
const groups = {
  [reads]: { places: mostUnderWay, perCaller: 48 },
  // The database makes one after the other, in the order in which they begin.
  [changes]: { places: 12, perCaller: 8 },
};
/** A request may wait this long while requests are refused, and the only one of its caller this long. */
const shortWaitMs = 8;
const onlyWaitMs = 200;
/** Without a refusal for this long, none is refused. */
const calmMs = 600;
/** After a pause of this length the measured speed says nothing. */
const forgetMs = 1000;
/** None is refused while fewer wait, nor while more are under way. */
const fewWaiting = 4;
/** Per request that begins: a refused client sends the next one, and refusing takes time too. */
const mostRefused = 8;

/** The part of a change before its body is read; a read is 1. Sums of it are exact, so that nothing is left of them. */
export const beginningOfChange = 0.125;

/** The rest of a change: what is done with a body grows with its length. */
export function turnsOfBody(bytes: number): number {
  return 1 + bytes / 16_384;
}

/** A long body keeps its caller from having others under way, so that the changes of others wait for one of them. */
export function placesOfBody(bytes: number): number {
  return Math.min(groups[changes].perCaller, Math.ceil(bytes / 65_536) || 1);
}

/** Its expected time does not depend on how long it takes. */
export interface WaitingTurn extends Turn {
  readonly since: number;
}

interface LoadDeps {
  readonly clock: Pick<Clock, 'elapsed'>;
  /** When waiting requests would take longer, some are refused. */
  readonly longestWaitMs: number;
  /** Each has one request at a time. */
  readonly connections: () => number;
}

export class Load<T extends WaitingTurn> {
  readonly #deps: LoadDeps;
  readonly #line: FairQueue<T>;
  #busyMs = 0;
  #answered = 0;
  #seenAt: number;
  #waitedAt: number;
  #refusedAt = 0;
  #isTooMuch = false;

  constructor(deps: LoadDeps) {
    this.#deps = deps;
    const none = Number.POSITIVE_INFINITY;
    this.#line = new FairQueue({ places: none, perCaller: none, backlog: none, groups });
    this.#seenAt = this.#waitedAt = deps.clock.elapsed();
  }

  get waiting(): number {
    return this.#line.backlog;
  }

  add(turn: T): void {
    this.#pass(turn.since);
    this.#line.add(turn);
  }

  remove(turn: T): void {
    this.#pass(this.#deps.clock.elapsed());
    this.#line.remove(turn);
  }

  /** While the wait is too long, the caller with most requests has its oldest refused and its newest begun. */
  next(now = this.#deps.clock.elapsed()): { readonly refused: readonly T[]; readonly begins: T | null } {
    this.#pass(now);
    this.#judge(now);
    const refused: T[] = [];
    const isMany = () => this.#line.backlog > Math.max(fewWaiting, this.#line.running);
    while (this.#isTooMuch && refused.length < mostRefused && isMany()) {
      const { 0: oldest, length } = this.#line.longest();
      if (oldest === undefined || now - oldest.since <= (length > 1 ? shortWaitMs : onlyWaitMs)) break;
      this.#line.remove(oldest);
      refused.push(oldest);
      this.#refusedAt = now;
    }
    return { refused, begins: this.#line.next(this.#isTooMuch ? 'newest' : 'oldest') };
  }

  end(turn: T, now = this.#deps.clock.elapsed()): void {
    this.#pass(now);
    if (this.#line.backlog > 0) this.#answered += turn.expected;
    this.#line.end(turn, turn.expected);
  }

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
