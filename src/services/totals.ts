/**
 * Totals of lists. COUNT(*) is linear in the rows it counts, so equal questions share an answer for a short while; any
 * change made through this program drops all of them at once (the generation).
 */

/** How long a total may be reused while nobody tells us of a change, in milliseconds. */
const lifetime = 5000;
const capacity = 2000;

interface Entry {
  readonly total: Promise<number>;
  readonly until: number;
}

export class Totals {
  readonly #entries = new Map<string, Entry>();
  readonly #now: () => number;

  /** `now` gives milliseconds that only grow. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** The known total for the key, or the result of `count`; concurrent callers share one count. */
  get(key: string, count: () => Promise<number>): Promise<number> {
    const known = this.#entries.get(key);
    if (known && known.until > this.#now()) return known.total;
    const total = count();
    if (this.#entries.size >= capacity) this.#entries.clear();
    this.#entries.set(key, { total, until: this.#now() + lifetime });
    // A failed count must not be remembered; the caller sees the failure.
    total.catch(() => this.#entries.delete(key));
    return total;
  }

  clear(): void {
    this.#entries.clear();
  }
}
