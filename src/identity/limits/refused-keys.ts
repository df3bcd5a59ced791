/**
 * Counts keys and tokens that were refused, by the network that sent them. After a hundred within 15 minutes
 * the network has to wait. Right keys that cannot be guessed still pass, so that a neighbour cannot shut out a frontend in
 * the same network; keys short enough to be guessed do not.
 */
import type { Clock } from '../../clock/clock.js';
import { AppError } from '../../errors/app-error.js';
import { LruMap } from '../../values/lru-map.js';
import type { RateCounter } from './counter.js';

const mostRefused = 100;
const windowMs = 15 * 60_000;
/** Networks over the limit that are remembered, so that their further tries are not even counted. */
const mostNetworks = 10_000;

interface RefusedKeysDeps {
  readonly counter: RateCounter;
  readonly clock: Pick<Clock, 'elapsed'>;
}

export class RefusedKeys {
  readonly #deps: RefusedKeysDeps;
  /** When the window of a network over the limit ends, by the clock that never goes back. */
  readonly #over = new LruMap<string, number>(mostNetworks);

  constructor(deps: RefusedKeysDeps) {
    this.#deps = deps;
  }

  /** Counts a refused key; gives rate_limited when the network has sent too many, else null. */
  async count(network: string): Promise<AppError | null> {
    const known = this.refusal(network);
    if (known !== null) return known;
    const { counter, clock } = this.#deps;
    const bucket = `refused-keys|${network}`;
    const { hits, leftMs } = await counter.count({ bucket, windowMs, max: mostRefused, whenLost: 'alone' });
    if (hits <= mostRefused) return null;
    this.#over.set(network, clock.elapsed() + leftMs);
    return this.refusal(network);
  }

  /** The refusal for a network over the limit; null for every other one. Counts nothing. */
  refusal(network: string): AppError | null {
    const end = this.#over.get(network);
    if (end === undefined) return null;
    const leftMs = end - this.#deps.clock.elapsed();
    if (leftMs <= 0) return null;
    return new AppError('rate_limited', { details: { retryAfter: Math.ceil(leftMs / 1000) } });
  }
}
