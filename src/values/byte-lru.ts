/**
 * A map that keeps recently used values up to a number of bytes. A use is only noted; when space is needed, a value
 * that was used since the last check stays once more (second chance): a look-up must cost almost nothing.
 */

interface Slot<T> {
  readonly value: T;
  readonly bytes: number;
  isUsed: boolean;
}

/** Values that get their second chance for one that comes: no request pays for all of them. */
const mostSpared = 500;

export class ByteLru<T> {
  readonly #slots = new Map<string, Slot<T>>();
  readonly #maxBytes: number;
  readonly #onDelete: (key: string) => void;
  #bytes = 0;

  /** Called with each value that is removed, except when all are removed at once. */
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
    slot.isUsed = true;
    return slot.value;
  }

  /** Keeps the value and removes older ones; false for one larger than an eighth of the whole, which is not kept. */
  set(key: string, value: T, bytes: number): boolean {
    this.delete(key);
    if (bytes > this.#maxBytes / 8) return false;
    this.#makeRoom(bytes);
    this.#slots.set(key, { value, bytes, isUsed: false });
    this.#bytes += bytes;
    return true;
  }

  /** A Map keeps the order of insertion, and what is inserted while it is walked comes last in the same walk. */
  #makeRoom(bytes: number): void {
    let spared = 0;
    for (const [oldest, slot] of this.#slots) {
      if (this.#bytes + bytes <= this.#maxBytes) return;
      if (slot.isUsed && spared < mostSpared) {
        spared += 1;
        slot.isUsed = false;
        this.#slots.delete(oldest);
        this.#slots.set(oldest, slot);
      } else this.delete(oldest);
    }
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
