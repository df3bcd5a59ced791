/**
 * Keys of late, at most so many: in two halves, of which the older one goes when the younger one is full. Looking one up
 * moves nothing about, which in a map of this size would cost more than all else that a click does.
 */
export class RecentKeys {
  readonly #half: number;
  #young = new Set<string>();
  #old = new Set<string>();

  constructor(most: number) {
    this.#half = Math.ceil(most / 2);
  }

  /** Whether the key is there; one that is asked for stays. */
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
