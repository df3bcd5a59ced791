/** A map that keeps what was used last and holds no more than so many bytes. */

interface Slot<T> {
  readonly value: T;
  readonly bytes: number;
}

export class ByteLru<T> {
  readonly #slots = new Map<string, Slot<T>>();
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
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

  /** Keeps the value, at the cost of older ones; one larger than an eighth of the whole is not kept. */
  set(key: string, value: T, bytes: number): void {
    this.delete(key);
    if (bytes > this.#maxBytes / 8) return;
    this.#slots.set(key, { value, bytes });
    this.#bytes += bytes;
    for (const oldest of this.#slots.keys()) {
      if (this.#bytes <= this.#maxBytes) break;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    const slot = this.#slots.get(key);
    if (slot === undefined) return;
    this.#slots.delete(key);
    this.#bytes -= slot.bytes;
  }

  clear(): void {
    this.#slots.clear();
    this.#bytes = 0;
  }
}
