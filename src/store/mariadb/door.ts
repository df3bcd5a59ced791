/**
 * Where requests wait while no connection is free, before anything is done for them. Whatever waits for long gets into the
 * old generation of the heap, with the promises of its results. A result that such a promise gets stays until that
 * generation is collected, long after the request has ended. Behind this door a request waits with nothing but itself.
 */
import type { Clock } from '../../clock/clock.js';
import type { PoolUse } from '../base/database.js';

/** Requests that may wait for a connection behind the door, so that none is idle between two of them. */
const mostWaiting = 4;
/** Milliseconds after which a request enters in any case: others, which need not pass, may take all connections. */
const longestMs = 250;

interface Waiting {
  readonly since: number;
  readonly enter: () => void;
}

interface DoorDeps {
  readonly clock: Pick<Clock, 'elapsed'>;
  /** Connections that there may be. */
  readonly connections: number;
  readonly use: () => Pick<PoolUse, 'using' | 'waiting'>;
}

export class Door {
  readonly #deps: DoorDeps;
  readonly #queue: Waiting[] = [];
  /** Who entered in this turn of the event loop may not have asked for a connection yet. */
  #entered = 0;
  #isLooking = false;

  constructor(deps: DoorDeps) {
    this.#deps = deps;
  }

  /** Null for a request that may enter at once; else resolves when it may, in the order of asking. */
  pass(): Promise<void> | null {
    if (this.#queue.length === 0 && this.#isOpen()) {
      this.#enter();
      return null;
    }
    this.#lookLater();
    return new Promise((resolve) => {
      this.#queue.push({ since: this.#deps.clock.elapsed(), enter: resolve });
    });
  }

  /** A connection may be free. */
  readonly look = (): void => {
    while (this.#queue.length > 0 && (this.#isOpen() || this.#isLate())) {
      this.#enter();
      this.#queue.shift()?.enter();
    }
  };

  #isOpen(): boolean {
    const { using, waiting } = this.#deps.use();
    return waiting + this.#entered < this.#deps.connections - using + mostWaiting;
  }

  #isLate(): boolean {
    const [first] = this.#queue;
    return first !== undefined && this.#deps.clock.elapsed() - first.since >= longestMs;
  }

  #enter(): void {
    this.#entered += 1;
    this.#lookLater();
  }

  #lookLater(): void {
    if (this.#isLooking) return;
    this.#isLooking = true;
    setImmediate(this.#endTurn);
  }

  readonly #endTurn = (): void => {
    this.#isLooking = false;
    this.#entered = 0;
    this.look();
  };
}
