/** A bounded set of keys in two halves: reordering entries at each look-up would cost more than the rest of a click. */
export class RecentKeys {
  readonly #half: number;
  #young = new Set<string>();
  #old = new Set<string>();

  constructor(most: number) {
    this.#half = Math.ceil(most / 2);
  }

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
