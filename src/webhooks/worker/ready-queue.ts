/** Claimed deliveries that wait for a place; receivers take turns. */
import type { ClaimedDelivery } from './claim.js';

export interface ReadyDelivery {
  readonly delivery: ClaimedDelivery;
  /** By the clock that never goes back. */
  readonly claimedAt: number;
  /** By the same clock; the claim itself may have taken long. */
  readonly readyAt: number;
}

export class ReadyQueue {
  /** In the order of their turns; none is empty. */
  readonly #byReceiver = new Map<number, ReadyDelivery[]>();
  #count = 0;

  get count(): number {
    return this.#count;
  }

  of(receiver: number): number {
    return this.#byReceiver.get(receiver)?.length ?? 0;
  }

  receivers(): Iterable<number> {
    return this.#byReceiver.keys();
  }

  add(ready: ReadyDelivery): void {
    const { subscriptionId } = ready.delivery;
    const waiting = this.#byReceiver.get(subscriptionId);
    if (waiting === undefined) this.#byReceiver.set(subscriptionId, [ready]);
    else waiting.push(ready);
    this.#count += 1;
  }

  /** From the first receiver in turn that may have a place; its next turn comes after all others. */
  take(mayHave: (receiver: number) => boolean): ReadyDelivery | undefined {
    for (const [receiver, waiting] of this.#byReceiver) {
      if (!mayHave(receiver)) continue;
      const ready = waiting.shift();
      this.#byReceiver.delete(receiver);
      if (waiting.length > 0) this.#byReceiver.set(receiver, waiting);
      this.#count -= 1;
      return ready;
    }
    return undefined;
  }

  remove(isWanted: (ready: ReadyDelivery) => boolean): ReadyDelivery[] {
    const removed: ReadyDelivery[] = [];
    for (const [receiver, waiting] of [...this.#byReceiver]) {
      const kept = waiting.filter((ready) => !isWanted(ready));
      if (kept.length === waiting.length) continue;
      removed.push(...waiting.filter(isWanted));
      if (kept.length === 0) this.#byReceiver.delete(receiver);
      else this.#byReceiver.set(receiver, kept);
    }
    this.#count -= removed.length;
    return removed;
  }
}
