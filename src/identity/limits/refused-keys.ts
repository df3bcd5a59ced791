/** Makes a network wait after a hundred refused keys. Unguessable keys pass: a neighbour must not block them. */
import type { Clock } from '../../clock/clock.js';
import { AppError } from '../../errors/app-error.js';
import { LruMap } from '../../values/lru-map.js';
import type { RateCounter } from './counter.js';

const mostRefused = 100;
const windowMs = 15 * 60_000;
/** Further tries of these networks are not counted. */
const mostNetworks = 10_000;

interface RefusedKeysDeps {
  readonly counter: RateCounter;
  readonly clock: Pick<Clock, 'elapsed'>;
}

export class RefusedKeys {
  readonly #deps: RefusedKeysDeps;
  /** When the window of a network ends, by the clock that never goes back. */
  readonly #over = new LruMap<string, number>(mostNetworks);

  constructor(deps: RefusedKeysDeps) {
    this.#deps = deps;
  }

  /** Returns rate_limited when the network has sent too many, else null. */
  async count(network: string): Promise<AppError | null> {
    const known = this.refusal(network);
    if (known !== null) return known;
    const { counter, clock } = this.#deps;
    const bucket = `refused-keys|${network}`;
    const { hits, leftMs } = await counter.count({ bucket, windowMs, whenLost: 'alone' });
    if (hits <= mostRefused) return null;
    this.#over.set(network, clock.elapsed() + leftMs);
    return this.refusal(network);
  }

  /** Counts nothing. */
  refusal(network: string): AppError | null {
    const end = this.#over.get(network);
    if (end === undefined) return null;
    const leftMs = end - this.#deps.clock.elapsed();
    if (leftMs <= 0) return null;
    return new AppError('rate_limited', { details: { retryAfter: Math.ceil(leftMs / 1000) } });
  }
}
