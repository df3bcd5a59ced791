/** Compares the clock of this machine with the deciding one, and tells when they differ by more than a little. */
import type { Log } from '../../log/observation.js';
import { measureSkew, worrySkewMs } from '../rules/deciding-time.js';

export type SkewWatchDeps = Parameters<typeof measureSkew>[0] & { readonly log: Log };

export class SkewWatch {
  readonly #deps: SkewWatchDeps;
  #toldMs = 0;

  constructor(deps: SkewWatchDeps) {
    this.#deps = deps;
  }

  /** Milliseconds that the clock of this machine is ahead. */
  async compare(): Promise<number> {
    const skewMs = await measureSkew(this.#deps);
    // Told again when it changes, not at every comparison.
    if (Math.abs(skewMs) > worrySkewMs && Math.abs(skewMs - this.#toldMs) > worrySkewMs) {
      this.#toldMs = skewMs;
      this.#deps.log({ kind: 'clock_skewed', skewMs });
    }
    return skewMs;
  }
}
