/**
 * Totals of lists. COUNT(*) is linear in the rows it counts, so equal questions share an answer for a short while; a
 * change made through this program drops those of the tables that it touched.
 */
import { AppError } from '../../errors/app-error.js';

/** How long a total may be reused while no change is reported, in milliseconds. */
const lifetime = 5000;
/** How old a total may be that is shown while a new one is counted, in milliseconds. */
const refreshLifetime = 15_000;
/** How old a total may be that replaces a count which the database did not finish in time. */
const standInLifetime = 600_000;
const capacity = 2000;

/** What is counted. */
interface TotalQuestion {
  /** The table whose changes make the total stale. */
  readonly table: string;
  /** Equal texts are the same question. */
  readonly text: string;
}

interface Entry {
  readonly table: string;
  readonly total: number;
  readonly countedAt: number;
}

interface Counting {
  readonly table: string;
  /** Null for a moment, until the count has begun. */
  result: Promise<number> | null;
}

export class Totals {
  readonly #known = new Map<string, Entry>();
  readonly #counting = new Map<string, Counting>();
  readonly #now: () => number;

  /** `now` gives milliseconds that only grow. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /**
   * The known total, or the result of `count`. Concurrent callers share one count, and do not wait for it while there is
   * a recent total. When the database does not count in time, the last total is given: a slow count must not make the
   * whole list fail.
   */
  async get(question: TotalQuestion, count: () => Promise<number>): Promise<number> {
    const known = this.#known.get(question.text);
    if (known && this.#age(known) < lifetime) return known.total;
    const counting = this.#counting.get(question.text)?.result ?? this.#count(question, count);
    if (known && this.#age(known) < refreshLifetime) {
      // Once the recent total has aged, the next caller gets the failure.
      counting.catch(() => undefined);
      return known.total;
    }
    try {
      return await counting;
    } catch (error) {
      const isSlow = error instanceof AppError && error.kind === 'unavailable';
      if (isSlow && known && this.#age(known) < standInLifetime) return known.total;
      throw error;
    }
  }

  /** Forgets the totals of these tables, or all. */
  clear(tables: ReadonlySet<string> | 'all'): void {
    // A count that began before the change may not include it: no further caller may share it, and it is not kept.
    for (const memory of [this.#known, this.#counting]) {
      for (const [text, { table }] of memory) {
        if (tables === 'all' || tables.has(table)) memory.delete(text);
      }
    }
  }

  #age({ countedAt }: Entry): number {
    return this.#now() - countedAt;
  }

  #count(question: TotalQuestion, count: () => Promise<number>): Promise<number> {
    const counting: Counting = { table: question.table, result: null };
    this.#counting.set(question.text, counting);
    counting.result = this.#run(question, { count, counting });
    return counting.result;
  }

  async #run(
    { table, text }: TotalQuestion,
    { count, counting }: { readonly count: () => Promise<number>; readonly counting: Counting },
  ): Promise<number> {
    const countedAt = this.#now();
    // After a change the number is given to the callers that wait for it, but not kept.
    const isCurrent = () => this.#counting.get(text) === counting;
    try {
      const total = await count();
      if (isCurrent()) this.#keep(text, { table, total, countedAt });
      return total;
    } finally {
      if (isCurrent()) this.#counting.delete(text);
    }
  }

  #keep(text: string, entry: Entry): void {
    if (this.#known.size >= capacity) this.#known.clear();
    this.#known.set(text, entry);
  }
}
