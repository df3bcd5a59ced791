/** Starts heavy statements in the order of a fair queue, and refuses those that would wait or run too long. */

import { type Clock, systemClock, type Timer } from '../../clock/clock.js';
import { type Asker, FairQueue, type Turn } from '../../clock/fair-queue.js';
import { AppError } from '../../errors/app-error.js';
import { perObject } from '../../values/per-object.js';
import type { RawRow, Statement } from './database.js';
import type { StoreLimits } from './limits.js';

export interface BegunRead {
  readonly rows: Promise<readonly RawRow[]>;
  /** An abandoned statement may still run. */
  readonly freed: Promise<unknown>;
}

/** `limit` in milliseconds; 0 = none. Must not throw. */
type BeginRead = (limit: number) => BegunRead;

interface HeavyQueueOptions {
  readonly places: number;
  readonly limits: Pick<StoreLimits, 'heavy' | 'search' | 'wait'>;
  readonly clock?: Pick<Clock, 'elapsed' | 'after'>;
}

interface Waiting extends Turn {
  readonly statement: Statement;
  readonly askedAt: number;
  readonly begin: BeginRead;
  readonly resolve: (rows: readonly RawRow[]) => void;
  readonly reject: (error: unknown) => void;
  timer: Timer | undefined;
}

const program: Asker = Object.freeze({ api: '', caller: '' });
/** Milliseconds; the waiting work may be four times what the places complete in this time. */
const capacity = 1000;
const mostBacklog = 4;
/** Milliseconds of the first statement, and of any at least. */
const usual = 5;
const least = 1;
/** A statement held up by a busy machine says little about the next. */
const mostGrowth = 4;

export class HeavyQueue {
  readonly #limits: HeavyQueueOptions['limits'];
  readonly #clock: Pick<Clock, 'elapsed' | 'after'>;
  readonly #queue: FairQueue<Waiting>;
  /** Milliseconds of the next statement, by those before it. */
  #expected: number | null = null;
  /** Milliseconds of the searches of one request. */
  readonly #spentOf = perObject<Asker, { milliseconds: number }>(() => ({ milliseconds: 0 }));
  #closed = false;

  constructor({ places, limits, clock = systemClock }: HeavyQueueOptions) {
    this.#limits = limits;
    this.#clock = clock;
    const backlog = limits.wait === 0 ? Number.POSITIVE_INFINITY : mostBacklog * capacity * places;
    // One place stays free for other callers.
    this.#queue = new FairQueue({ places, perCaller: Math.max(1, places - 1), backlog });
  }

  /** Throws `unavailable` when too much waits, or the statement waits or runs too long. */
  run(statement: Statement, begin: BeginRead): Promise<readonly RawRow[]> {
    if (this.#closed) return Promise.reject(closed());
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        asker: statement.asker ?? program,
        // A few slow ones say little about the next.
        expected: Math.min(this.#expected ?? usual, capacity),
        askedAt: this.#clock.elapsed(),
        timer: undefined,
        ...{ statement, begin, resolve, reject },
      };
      const refused = this.#queue.add(waiting);
      if (refused !== null) this.#refuse(refused);
      if (refused === waiting) return;
      this.#beginNext();
      const { wait } = this.#limits;
      if (wait === 0 || !this.#queue.waits(waiting)) return;
      waiting.timer = this.#clock.after(wait, () => {
        if (this.#queue.remove(waiting)) this.#refuse(waiting);
      });
    });
  }

  close(): void {
    this.#closed = true;
    for (const waiting of this.#queue.waiting) {
      this.#queue.remove(waiting);
      waiting.timer?.stop();
      waiting.reject(closed());
    }
  }

  #beginNext(): void {
    for (let next = this.#queue.next(); next !== null; next = this.#queue.next()) this.#begin(next);
  }

  #begin(turn: Waiting): void {
    const { statement, resolve, reject } = turn;
    turn.timer?.stop();
    const startedAt = this.#clock.elapsed();
    const limit = this.#limitOf(turn, startedAt);
    if (limit < 0) {
      reject(tooSlow());
      this.#queue.end(turn, 0);
      return;
    }
    const { rows, freed } = turn.begin(limit);
    const note = (): void => {
      if (statement.heavy === 'search') this.#spend(turn.asker, this.#clock.elapsed() - startedAt);
    };
    rows.then(
      (found) => {
        note();
        resolve(found);
      },
      (error: unknown) => {
        note();
        reject(error);
      },
    );
    void freed.then(() => {
      const taken = this.#clock.elapsed() - startedAt;
      this.#learn(taken);
      this.#queue.end(turn, taken);
      this.#beginNext();
    });
  }

  /** 0 = no limit, below 0 = no time is left. */
  #limitOf({ statement, asker, askedAt }: Waiting, startedAt: number): number {
    const { heavy, search } = this.#limits;
    const left: number[] = [];
    if (heavy > 0) left.push(heavy - (startedAt - askedAt));
    // All searches of a request share the time of one: a list counts what it has found.
    if (search > 0 && statement.heavy === 'search') left.push(search - this.#spentOf(asker).milliseconds);
    if (left.length === 0) return 0;
    const limit = Math.min(...left);
    return limit >= 1 ? limit : -1;
  }

  #spend(asker: Asker, milliseconds: number): void {
    if (asker !== program) this.#spentOf(asker).milliseconds += milliseconds;
  }

  #learn(taken: number): void {
    const known = this.#expected ?? taken;
    const counted = Math.min(taken, mostGrowth * known);
    this.#expected = Math.max(least, known + (counted - known) / 4);
  }

  #refuse({ timer, reject }: Waiting): void {
    timer?.stop();
    reject(overloaded());
  }
}

export function tooSlow(cause?: unknown): AppError {
  return new AppError('unavailable', {
    message: 'The search takes too long',
    details: { retryAfter: 5, isLoad: true },
    ...(cause === undefined ? {} : { cause }),
  });
}

function overloaded(): AppError {
  return new AppError('unavailable', {
    message: 'Too many searches run at once',
    details: { retryAfter: 1, isLoad: true },
  });
}

function closed(): AppError {
  return new AppError('unavailable', { details: { retryAfter: 5 } });
}
