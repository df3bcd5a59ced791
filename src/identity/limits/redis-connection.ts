/** Keeps a connection to Redis, and opens a lost one again once a second. */
import type { Clock, Timer } from '../../clock/clock.js';
import type { Log } from '../../log/observation.js';
import { RedisFailure, type RedisLink } from './redis-link.js';

const tryEvery = 1000;

interface RedisConnectionDeps<T extends RedisLink> {
  /** Rejects with a RedisFailure. */
  readonly open: () => Promise<T>;
  readonly clock: Clock;
  readonly log: Log;
  /** Names the work in reports of faults of the program. */
  readonly during: string;
  /** Called with the first of several failures in a row. */
  readonly onLost: (failure: RedisFailure) => void;
  readonly onOpened: (wasLost: boolean) => void;
}

export class RedisConnection<T extends RedisLink> {
  readonly #deps: RedisConnectionDeps<T>;
  #link: T | null = null;
  #isLost = false;
  #closed = false;
  #retry: Timer | null = null;

  constructor(deps: RedisConnectionDeps<T>) {
    this.#deps = deps;
  }

  get link(): T | null {
    return this.#link;
  }

  /** Returns a failure for which `isFatal` holds; tries again after every other one. */
  async start(isFatal: (failure: RedisFailure) => boolean = () => false): Promise<RedisFailure | null> {
    const failure = await this.#open();
    if (failure !== null && isFatal(failure)) return failure;
    this.#note(failure);
    this.#retry = this.#deps.clock.every({
      intervalMs: tryEvery,
      work: async () => this.#note(await this.#open()),
      onError: (error) => this.#deps.log({ kind: 'unexpected_error', during: this.#deps.during, error }),
    });
    return null;
  }

  /** The first of many callers of a lost connection ends it. */
  lose(link: T, failure: RedisFailure): void {
    if (this.#link !== link) return;
    this.#link = null;
    link.close();
    this.#note(failure);
  }

  close(): void {
    this.#closed = true;
    this.#retry?.stop();
    this.#link?.close();
    this.#link = null;
  }

  async #open(): Promise<RedisFailure | null> {
    if (this.#link !== null || this.#closed) return null;
    try {
      const link = await this.#deps.open();
      if (this.#closed) {
        link.close();
        return null;
      }
      this.#link = link;
      void link.lost.then((failure) => this.lose(link, failure));
    } catch (error) {
      if (error instanceof RedisFailure) return error;
      throw error;
    }
    this.#deps.onOpened(this.#isLost);
    this.#isLost = false;
    return null;
  }

  /** A lost connection affects many requests, so it is reported once. */
  #note(failure: RedisFailure | null): void {
    if (failure === null) return;
    if (!this.#isLost && !this.#closed) this.#deps.onLost(failure);
    this.#isLost = true;
  }
}
