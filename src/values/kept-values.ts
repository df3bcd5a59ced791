/** Values that are kept: the recently used ones up to a number of entries or of bytes, or as long as an object lives. */

/** Keeps at least the latest half of `limit` values. Two generations: moves within one Map would slow it down. */
export class LruMap<Key, Value> {
  readonly #half: number;
  #young = new Map<Key, Value>();
  #old = new Map<Key, Value>();

  constructor(limit: number) {
    this.#half = Math.ceil(limit / 2);
  }

  get(key: Key): Value | undefined {
    const value = this.#young.get(key);
    if (value !== undefined) return value;
    const older = this.#old.get(key);
    if (older !== undefined) this.set(key, older);
    return older;
  }

  set(key: Key, value: Value): void {
    if (this.#young.size >= this.#half && !this.#young.has(key)) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(key, value);
  }

  clear(): void {
    this.#young = new Map();
    this.#old = new Map();
  }
}

interface Slot<T> {
  readonly value: T;
  readonly bytes: number;
  isUsed: boolean;
}

/** So that no request pays for all of them. */
const mostSpared = 500;

export class ByteLru<T> {
  readonly #slots = new Map<string, Slot<T>>();
  readonly #maxBytes: number;
  readonly #onDelete: (key: string) => void;
  #bytes = 0;

  /** Except when all are removed at once. */
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

  /** False for a value larger than an eighth of the whole, which is not kept. */
  set(key: string, value: T, bytes: number): boolean {
    this.delete(key);
    if (bytes > this.#maxBytes / 8) return false;
    this.#makeRoom(bytes);
    this.#slots.set(key, { value, bytes, isUsed: false });
    this.#bytes += bytes;
    return true;
  }

  /** A Map visits entries that are inserted during a walk last. */
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

/** Makes a value for each object once; the value lives as long as its object. */
export function perObject<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const made = new WeakMap<Key, { readonly value: Value }>();
  return (key) => {
    const known = made.get(key);
    if (known !== undefined) return known.value;
    const value = make(key);
    made.set(key, { value });
    return value;
  };
}

/** Repeats `make` only after `read` returned another object. */
export function derived<S, T>(read: () => S, make: (snapshot: S) => T): () => T {
  let last: { readonly snapshot: S; readonly value: T } | undefined;
  return () => {
    const snapshot = read();
    if (last === undefined || last.snapshot !== snapshot) last = { snapshot, value: make(snapshot) };
    return last.value;
  };
}
