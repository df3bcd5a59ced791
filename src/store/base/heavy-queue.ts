/** Starts heavy statements in the order of a fair queue, and refuses those that would wait or run too long. */

import { type Clock, systemClock } from '../../clock/clock.js';
import type { Asker } from '../../clock/fair-queue.js';
import { program, WaitingLine } from '../../clock/waiting-line.js';
import { AppError } from '../../errors/app-error.js';
import { perObject } from '../../values/kept-values.js';
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
  readonly #line: WaitingLine;
  #isClosed = false;
  /** Milliseconds of the next statement, by those before it. */
  #expected: number | null = null;
  /** Milliseconds of the searches of one request. */
  readonly #spentOf = perObject<Asker, { milliseconds: number }>(() => ({ milliseconds: 0 }));

  constructor({ places, limits, clock = systemClock }: HeavyQueueOptions) {
    this.#limits = limits;
    this.#clock = clock;
    this.#line = new WaitingLine({
      places,
      // One place stays free for other callers.
      perCaller: Math.max(1, places - 1),
      mostWaiting: limits.wait === 0 ? Number.POSITIVE_INFINITY : mostBacklog * capacity * places,
      ...{ wait: limits.wait, clock },
      refusal: (why) => (why === 'closed' ? closed() : overloaded()),
    });
  }

  /** Throws `unavailable` when too much waits, or the statement waits or runs too long. */
  async run(statement: Statement, begin: BeginRead): Promise<readonly RawRow[]> {
    const { asker = program } = statement;
    const askedAt = this.#clock.elapsed();
    // A few slow ones say little about the next.
    const expected = Math.min(this.#expected ?? usual, capacity);
    const end = await this.#line.take({ asker, expected });
    const startedAt = this.#clock.elapsed();
    const limit = this.#limitOf(statement, startedAt - askedAt);
    // It may have been closed between the turn and its begin.
    if (limit < 0 || this.#isClosed) {
      end(0);
      throw this.#isClosed ? closed() : tooSlow();
    }
    const { rows, freed } = begin(limit);
    void freed.then(() => {
      const taken = this.#clock.elapsed() - startedAt;
      this.#learn(taken);
      end(taken);
    });
    try {
      return await rows;
    } finally {
      if (statement.heavy === 'search') this.#spend(asker, this.#clock.elapsed() - startedAt);
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#line.close();
  }

  /** 0 = no limit, below 0 = no time is left. */
  #limitOf({ heavy: kind, asker = program }: Statement, waited: number): number {
    const { heavy, search } = this.#limits;
    const left: number[] = [];
    if (heavy > 0) left.push(heavy - waited);
    // All searches of a request share the time of one: a list counts what it has found.
    if (search > 0 && kind === 'search') left.push(search - this.#spentOf(asker).milliseconds);
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
