/** Numbers for many names, in 16 to 32 bytes a name: only digests are kept. */
import { sha256Hex } from '../../crypto/hash.js';

/** Two halves of the digest. The chance that two of a million names share them is 1 in 37 million. */
const halves = 2;

export class NameNumbers {
  #digests = new Uint32Array(halves * 1024);
  /** By slot; NaN where it is free. */
  #numbers = new Float64Array(1024).fill(Number.NaN);
  #size = 0;

  get(name: string): number | undefined {
    const number = this.#numbers[this.#slotOf(digestOf(name))] ?? Number.NaN;
    return Number.isNaN(number) ? undefined : number;
  }

  has(name: string): boolean {
    return this.get(name) !== undefined;
  }

  set(name: string, number: number): void {
    this.#put(digestOf(name), number);
    if (this.#size * 2 > this.#numbers.length) this.#grow();
  }

  clear(): void {
    if (this.#size === 0) return;
    this.#digests = new Uint32Array(halves * 1024);
    this.#numbers = new Float64Array(1024).fill(Number.NaN);
    this.#size = 0;
  }

  #put([first, second]: readonly [number, number], number: number): void {
    const slot = this.#slotOf([first, second]);
    if (Number.isNaN(this.#numbers[slot])) this.#size += 1;
    this.#numbers[slot] = number;
    this.#digests.set([first, second], slot * halves);
  }

  #slotOf([first, second]: readonly [number, number]): number {
    const slots = this.#numbers.length;
    for (let slot = first % slots; ; slot = (slot + 1) % slots) {
      if (Number.isNaN(this.#numbers[slot])) return slot;
      if (this.#digests[slot * halves] === first && this.#digests[slot * halves + 1] === second) return slot;
    }
  }

  #grow(): void {
    const [digests, numbers] = [this.#digests, this.#numbers];
    this.#digests = new Uint32Array(digests.length * 2);
    this.#numbers = new Float64Array(numbers.length * 2).fill(Number.NaN);
    this.#size = 0;
    for (const [slot, number] of numbers.entries()) {
      if (!Number.isNaN(number)) this.#put([digests[slot * halves] ?? 0, digests[slot * halves + 1] ?? 0], number);
    }
  }
}

function digestOf(name: string): readonly [number, number] {
  const hex = sha256Hex(name);
  return [Number.parseInt(hex.slice(0, 8), 16), Number.parseInt(hex.slice(8, 16), 16)];
}
