/**
 * Counts in Redis, exactly over all processes and machines that use it, by its clock. While Redis is lost, requests do
 * not wait for it: a new connection is tried once a second next to them.
 */
import type { Clock, Timer } from '../../clock/clock.js';
import { AppError } from '../../errors/app-error.js';
import type { Log } from '../../log/observation.js';
import type { Count, CountQuestion, RateCounter } from './counter.js';
import { countWhileLost } from './counter.js';
import { MemoryCounter } from './memory-counter.js';
import type { RedisLink } from './redis-link.js';
import { describeFailure, isLasting, RedisFailure } from './redis-link.js';

const tryEvery = 1000;

export interface RedisCounterDeps {
  /** Opens a connection; rejects with a RedisFailure. */
  readonly open: () => Promise<RedisLink>;
  readonly clock: Clock;
  readonly log: Log;
}

export class RedisCounter implements RateCounter {
  readonly #deps: RedisCounterDeps;
  readonly #alone: MemoryCounter;
  #link: RedisLink | null = null;
  #isLost = false;
  /** Requests that Redis did not count since it was lost. */
  #uncounted = 0;
  #closed = false;
  #retry: Timer | null = null;

  constructor(deps: RedisCounterDeps) {
    this.#deps = deps;
    this.#alone = new MemoryCounter(deps.clock);
  }

  /** Connects, or goes on trying. Throws configuration_invalid when Redis refuses what no waiting will change. */
  async start(): Promise<void> {
    await this.#connect();
    this.#retry = this.#deps.clock.every({
      intervalMs: tryEvery,
      work: () => this.#reconnect(),
      onError: (error) => this.#deps.log({ kind: 'unexpected_error', during: 'connecting to Redis', error }),
    });
  }

  /** Throws unavailable when Redis does not count and the question does not allow to count alone. */
  async count(question: CountQuestion): Promise<Count> {
    const link = this.#link;
    if (link !== null) {
      try {
        const { hits, endsOn, now } = await link.addHit(question);
        return { hits, endsOn, leftMs: endsOn - now };
      } catch (error) {
        this.#lose(link, toFailure(error));
      }
    }
    this.#uncounted += 1;
    return countWhileLost(question, this.#alone);
  }

  close(): void {
    this.#closed = true;
    this.#retry?.stop();
    this.#link?.close();
    this.#link = null;
  }

  async #connect(): Promise<void> {
    try {
      await this.#open();
    } catch (error) {
      const failure = toFailure(error);
      if (isLasting(failure)) {
        const message = `HCD_REDIS_URL (redis in hcd.toml): ${describeFailure(failure)}`;
        throw new AppError('configuration_invalid', { message, cause: failure });
      }
      this.#tellLost(failure);
    }
  }

  async #reconnect(): Promise<void> {
    if (this.#link !== null) return;
    try {
      await this.#open();
    } catch (error) {
      this.#tellLost(toFailure(error));
    }
  }

  async #open(): Promise<void> {
    const link = await this.#deps.open();
    if (this.#closed) return link.close();
    this.#link = link;
    void link.lost.then((failure) => this.#lose(link, failure));
    if (this.#isLost) this.#deps.log({ kind: 'redis_recovered', uncounted: this.#uncounted });
    this.#isLost = false;
    this.#uncounted = 0;
  }

  /** Of the many requests that meet a lost connection the first one ends it. */
  #lose(link: RedisLink, failure: RedisFailure): void {
    if (this.#link !== link) return;
    this.#link = null;
    link.close();
    this.#tellLost(failure);
  }

  /** Told once: what is gone stays gone for many requests. */
  #tellLost(failure: RedisFailure): void {
    if (!this.#isLost) this.#deps.log({ kind: 'redis_unavailable', code: failure.code });
    this.#isLost = true;
  }
}

/** Anything else is a fault of the program. */
function toFailure(error: unknown): RedisFailure {
  if (error instanceof RedisFailure) return error;
  throw error;
}
