/**
 * The requests that are under way. In an array: a Set makes itself a new table every few requests, and each old table
 * refers to the next one, so that the tables and requests of minutes reach the old generation of the heap together. With
 * it, collecting garbage takes three times as long.
 */

/** Where the request is in the array; -1 when it is not. */
export interface Placed {
  place: number;
}

export class InFlight<T extends Placed> implements Iterable<T> {
  readonly #all: T[] = [];

  get size(): number {
    return this.#all.length;
  }

  /** Once for each request. */
  add(one: T): void {
    one.place = this.#all.push(one) - 1;
  }

  delete(one: T): void {
    const { place } = one;
    const last = this.#all.at(-1);
    if (place < 0 || last === undefined) return;
    this.#all[place] = last;
    last.place = place;
    this.#all.length -= 1;
    one.place = -1;
  }

  /** Those of now: some may end meanwhile. */
  [Symbol.iterator](): Iterator<T> {
    return [...this.#all].values();
  }
}
