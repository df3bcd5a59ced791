/** The deliveries of one worker that are being sent, or were sent and are not yet recorded, counted by receiver. */

interface Counts {
  sending: number;
  /** Ended, and waiting to be recorded. */
  ended: number;
}

const none: Counts = Object.freeze({ sending: 0, ended: 0 });

export class InFlight {
  readonly #byReceiver = new Map<number, Counts>();
  #sending = 0;
  #ended = 0;

  get sending(): number {
    return this.#sending;
  }

  get ended(): number {
    return this.#ended;
  }

  get count(): number {
    return this.#sending + this.#ended;
  }

  sendingTo(receiver: number): number {
    return (this.#byReceiver.get(receiver) ?? none).sending;
  }

  of(receiver: number): number {
    const { sending, ended } = this.#byReceiver.get(receiver) ?? none;
    return sending + ended;
  }

  receivers(): Iterable<number> {
    return this.#byReceiver.keys();
  }

  begin(receiver: number): void {
    this.#change(receiver, { sending: 1, ended: 0 });
  }

  end(receiver: number): void {
    this.#change(receiver, { sending: -1, ended: 1 });
  }

  /** Recorded, or given up to its lease. */
  close(receiver: number): void {
    this.#change(receiver, { sending: 0, ended: -1 });
  }

  #change(receiver: number, by: Counts): void {
    const before = this.#byReceiver.get(receiver) ?? none;
    const after = { sending: before.sending + by.sending, ended: before.ended + by.ended };
    if (after.sending === 0 && after.ended === 0) this.#byReceiver.delete(receiver);
    else this.#byReceiver.set(receiver, after);
    this.#sending += by.sending;
    this.#ended += by.ended;
  }
}
