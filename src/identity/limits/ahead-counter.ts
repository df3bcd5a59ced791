/** Counts in a worker, a little ahead of the first process: all workers together exceed a limit by at most 1 %. */
import type { Clock, Timer } from '../../clock/clock.js';
import { LruMap } from '../../values/lru-map.js';
import type { BatchCounter } from './batch-counter.js';
import type { Count, CountQuestion, Hits, RateCounter } from './counter.js';

const reportAfter = 100;
const mostKnown = 10_000;

interface AheadCounterDeps {
  readonly shared: Pick<BatchCounter, 'count'>;
  readonly clock: Pick<Clock, 'elapsed' | 'after'>;
  readonly workers: number;
}

interface Window {
  readonly bucket: string;
  readonly windowMs: number;
  /** By the clock that never goes back. */
  endsAt: number;
  readonly endsOn: number;
  /** What the first process had counted at its last answer. */
  counted: number;
  /** Counted here and not yet in `counted`. */
  ahead: number;
  /** The part of `ahead` that was not reported. */
  unreported: number;
}

export class AheadCounter implements RateCounter {
  readonly #deps: AheadCounterDeps;
  readonly #windows = new LruMap<string, Window>(mostKnown);
  readonly #unreported = new Set<Window>();
  #timer: Timer | null = null;

  constructor(deps: AheadCounterDeps) {
    this.#deps = deps;
  }

  count(question: CountQuestion): ReturnType<RateCounter['count']> {
    const { bucket, windowMs, max } = question;
    const window = this.#windows.get(bucket);
    if (window === undefined) return this.#ask(question);
    const leftMs = window.endsAt - this.#deps.clock.elapsed();
    // One that ends later than a window that begins now: the window was made shorter.
    if (leftMs <= 0 || leftMs > windowMs) return this.#ask(question);
    const hits = window.counted + window.ahead + 1;
    const { endsOn } = window;
    // Refusing needs no question: the count holds until the window ends.
    if (hits > max) return { hits, endsOn, leftMs };
    const most = this.#mostAhead(max);
    if (window.ahead >= most) return this.#ask(question);
    window.ahead += 1;
    window.unreported += 1;
    this.#unreported.add(window);
    if (window.unreported * 2 >= most) this.#report(window);
    else this.#timer ??= this.#deps.clock.after(reportAfter, () => this.flush());
    return { hits, endsOn, leftMs };
  }

  flush(): void {
    this.#timer?.stop();
    this.#timer = null;
    for (const window of this.#unreported) this.#report(window);
  }

  /** One share more than workers: one is being replaced, or was killed before it reported. */
  #mostAhead(max: number): number {
    return Math.floor(max / (100 * (this.#deps.workers + 1)));
  }

  async #ask({ bucket, windowMs, max, whenLost }: CountQuestion): Promise<Count> {
    const count = await this.#deps.shared.count({ bucket, windowMs, whenLost });
    // A small limit asks for each request anyway, so its window is not worth the memory.
    if (this.#mostAhead(max) > 0 || count.hits >= max) this.#learn({ bucket, windowMs }, count);
    return count;
  }

  #report(window: Window): void {
    const { bucket, windowMs, unreported: hits } = window;
    this.#unreported.delete(window);
    window.unreported = 0;
    // Late hits would count in the next window.
    if (window.endsAt <= this.#deps.clock.elapsed()) return;
    void this.#deps.shared.count({ bucket, windowMs, hits, whenLost: 'alone' }).then((count) => {
      window.ahead -= hits;
      this.#learn({ bucket, windowMs }, count);
    });
  }

  #learn({ bucket, windowMs }: Omit<Hits, 'hits'>, { hits: counted, endsOn, leftMs }: Count): void {
    const endsAt = this.#deps.clock.elapsed() + leftMs;
    const window = this.#windows.get(bucket);
    if (window?.windowMs === windowMs && window.endsOn === endsOn) Object.assign(window, { counted, endsAt });
    else this.#windows.set(bucket, { bucket, windowMs, counted, endsOn, endsAt, ahead: 0, unreported: 0 });
  }
}
