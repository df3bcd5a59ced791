/** Requests wait here while no connection is free, before they hold results that would move to the old generation. */
import type { Clock } from '../../clock/clock.js';
import type { PoolUse } from '../base/database.js';

/** So that no connection is idle between two requests. */
const mostWaiting = 4;
/** Milliseconds; readers that need not pass may take all connections. */
const longestMs = 250;

interface Waiting {
  readonly since: number;
  readonly enter: () => void;
}

interface DoorDeps {
  readonly clock: Pick<Clock, 'elapsed'>;
  readonly connections: number;
  readonly use: () => Pick<PoolUse, 'using' | 'waiting'>;
}

export class Door {
  readonly #deps: DoorDeps;
  readonly #queue: Waiting[] = [];
  /** Requests of this turn of the event loop, which may not have a connection yet. */
  #entered = 0;
  #isLooking = false;

  constructor(deps: DoorDeps) {
    this.#deps = deps;
  }

  /** Null for immediate entry; else resolves in the order of asking. */
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
