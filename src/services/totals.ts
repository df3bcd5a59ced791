/**
 * Totals of lists. COUNT(*) is linear in the rows it counts, so equal questions share an answer for a short while; any
 * change made through this program drops all of them at once (the generation).
 */
import { AppError } from '../errors/app-error.js';

/** How long a total may be reused while nobody tells us of a change, in milliseconds. */
const lifetime = 5000;
/** How old a total may be that is shown while a new one is counted, in milliseconds. */
const refreshLifetime = 15_000;
/** How old a total may be that stands in for a count which the database did not finish in time. */
const standInLifetime = 600_000;
const capacity = 2000;

interface Entry {
  readonly total: number;
  readonly countedAt: number;
}

export class Totals {
  readonly #known = new Map<string, Entry>();
  readonly #counting = new Map<string, Promise<number>>();
  readonly #now: () => number;
  #generation = 0;

  /** `now` gives milliseconds that only grow. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /**
   * The known total for the key, or the result of `count`; concurrent callers share one count, and nobody waits for one
   * that only replaces a recent total. Where the database does not count in time, the last total stands in: a slow count
   * must not take the whole list down.
   */
  async get(key: string, count: () => Promise<number>): Promise<number> {
    const known = this.#known.get(key);
    if (known && this.#age(known) < lifetime) return known.total;
    const counting = this.#counting.get(key) ?? this.#count(key, count);
    this.#counting.set(key, counting);
    if (known && this.#age(known) < refreshLifetime) {
      // Whoever asks once the recent total has aged learns of the failure.
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

  clear(): void {
    this.#generation += 1;
    this.#known.clear();
    // A count that began before the change may have seen the rows before it: nobody new may join it.
    this.#counting.clear();
  }

  #age({ countedAt }: Entry): number {
    return this.#now() - countedAt;
  }

  async #count(key: string, count: () => Promise<number>): Promise<number> {
    const countedAt = this.#now();
    const generation = this.#generation;
    try {
      const total = await count();
      // After a change the number is for those who wait already, not for keeping.
      if (generation === this.#generation) this.#keep(key, { total, countedAt });
      return total;
    } finally {
      if (generation === this.#generation) this.#counting.delete(key);
    }
  }

  #keep(key: string, entry: Entry): void {
    if (this.#known.size >= capacity) this.#known.clear();
    this.#known.set(key, entry);
  }
}
