/**
 * A bounded number of recent keys, in two halves: the older half is dropped when the younger one is full. A look-up does
 * not reorder entries, which in a map of this size would cost more than the rest of a click.
 */
export class RecentKeys {
  readonly #half: number;
  #young = new Set<string>();
  #old = new Set<string>();

  constructor(most: number) {
    this.#half = Math.ceil(most / 2);
  }

  /** Whether the key is known; a key that is asked for is kept. */
  has(key: string): boolean {
    if (this.#young.has(key)) return true;
    if (!this.#old.has(key)) return false;
    this.add(key);
    return true;
  }

  add(key: string): void {
    if (this.#young.size >= this.#half) {
      this.#old = this.#young;
      this.#young = new Set();
    }
    this.#young.add(key);
  }
}
