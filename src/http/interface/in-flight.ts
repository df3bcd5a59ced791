/** The requests under way, in an array: a Set's tables make collecting garbage take three times as long. */

/** -1 outside the array. */
export interface Placed {
  place: number;
}

export class InFlight<T extends Placed> implements Iterable<T> {
  readonly #all: T[] = [];

  get size(): number {
    return this.#all.length;
  }

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

  /** A copy: some may end meanwhile. */
  [Symbol.iterator](): Iterator<T> {
    return [...this.#all].values();
  }
}
