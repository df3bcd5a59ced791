/** A map that keeps what was used last and holds no more than so many bytes. */

interface Slot<T> {
  readonly value: T;
  readonly bytes: number;
}

export class ByteLru<T> {
  readonly #slots = new Map<string, Slot<T>>();
  readonly #maxBytes: number;
  readonly #onDelete: (key: string) => void;
  #bytes = 0;

  /** `onDelete` hears of every value that goes, except when all go at once. */
  constructor(maxBytes: number, onDelete: (key: string) => void = () => undefined) {
    this.#maxBytes = maxBytes;
    this.#onDelete = onDelete;
  }

  get size(): number {
    return this.#slots.size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get(key: string): T | undefined {
    const slot = this.#slots.get(key);
    if (slot === undefined) return undefined;
    // A Map keeps the order of insertion: the first key is the one not used for longest.
    this.#slots.delete(key);
    this.#slots.set(key, slot);
    return slot.value;
  }

  /** Keeps the value, at the cost of older ones; false for one larger than an eighth of the whole, which is not kept. */
  set(key: string, value: T, bytes: number): boolean {
    this.delete(key);
    if (bytes > this.#maxBytes / 8) return false;
    this.#slots.set(key, { value, bytes });
    this.#bytes += bytes;
    for (const oldest of this.#slots.keys()) {
      if (this.#bytes <= this.#maxBytes) break;
      this.delete(oldest);
    }
    return true;
  }

  delete(key: string): void {
    const slot = this.#slots.get(key);
    if (slot === undefined) return;
    this.#slots.delete(key);
    this.#bytes -= slot.bytes;
    this.#onDelete(key);
  }

  clear(): void {
    this.#slots.clear();
    this.#bytes = 0;
  }
}
