/** Gives receivers that answer quickly more places, and deliveries that are claimed ahead. */

interface Record {
  /** Since the last failure. */
  successes: number;
  /** Of the latest answers, the newest counting for a quarter. */
  averageMs: number;
}

/** Simultaneous deliveries to any receiver, even an unknown one. */
export const basePlaces = 4;
/** Successes in a row that make a receiver fast; each further handful earns one more place. */
const successesToTrust = 8;
const successesPerPlace = 4;
const slowMs = 500;
/** Deliveries are claimed ahead for what the receiver is expected to accept in this time. */
const aheadMs = 250;
const mostAhead = 128;

export class Pace {
  readonly #records = new Map<number, Record>();

  succeeded(receiver: number, durationMs: number): void {
    const record = this.#records.get(receiver);
    if (record === undefined) this.#records.set(receiver, { successes: 1, averageMs: durationMs });
    else {
      record.successes += 1;
      record.averageMs += (durationMs - record.averageMs) / 4;
    }
  }

  /** After a failure, or when its deliveries waited too long for a place. */
  stumbled(receiver: number): void {
    this.#records.delete(receiver);
  }

  isFast(receiver: number): boolean {
    const record = this.#records.get(receiver);
    return record !== undefined && record.successes >= successesToTrust && record.averageMs <= slowMs;
  }

  /** While no other receiver wants the places. */
  places(receiver: number): number {
    const record = this.#records.get(receiver);
    if (record === undefined || !this.isFast(receiver)) return basePlaces;
    return basePlaces + Math.floor((record.successes - successesToTrust) / successesPerPlace);
  }

  ahead(receiver: number): number {
    const record = this.#records.get(receiver);
    if (record === undefined || !this.isFast(receiver)) return 0;
    return Math.min(mostAhead, Math.floor((basePlaces * aheadMs) / Math.max(1, record.averageMs)));
  }
}
