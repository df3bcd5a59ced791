/**
 * Counts for the workers of a server, whose first process keeps the counts. A worker asks it for each request of a
 * small limit. Of a large one it counts a few requests ahead, without waiting, and reports them soon after: all workers
 * together let at most 1 % more pass than the limit.
 */
import type { Clock, Timer } from '../../clock/clock.js';
import { LruMap } from '../../values/lru-map.js';
import type { BatchCounter } from './batch-counter.js';
import type { Count, CountQuestion, Hits, RateCounter } from './counter.js';

/** Milliseconds until requests that were counted ahead are reported. */
const reportAfter = 100;
/** Callers with requests that were counted ahead, or over their limit. The first process knows all. */
const mostKnown = 10_000;

interface AheadCounterDeps {
  readonly shared: Pick<BatchCounter, 'count'>;
  readonly clock: Pick<Clock, 'elapsed' | 'after'>;
  /** Worker processes of the server. */
  readonly workers: number;
}

/** A window that the first process has begun. */
interface Window {
  readonly bucket: string;
  readonly windowMs: number;
  /** By the clock that never goes back. */
  endsAt: number;
  readonly endsOn: number;
  /** What the first process had counted when it answered last. */
  counted: number;
  /** Requests that were counted here and are not in that number. */
  ahead: number;
  /** Those of them that were not reported. */
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
    // What was counted stays counted until the window ends: nothing has to be asked to refuse.
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

  /** Reports all that was counted ahead. */
  flush(): void {
    this.#timer?.stop();
    this.#timer = null;
    for (const window of this.#unreported) this.#report(window);
  }

  /** One share more than there are workers: for one that is being replaced, or was killed before it could report. */
  #mostAhead(max: number): number {
    return Math.floor(max / (100 * (this.#deps.workers + 1)));
  }

  async #ask({ bucket, windowMs, max, whenLost }: CountQuestion): Promise<Count> {
    const count = await this.#deps.shared.count({ bucket, windowMs, whenLost });
    // Nothing else is worth its memory: each further request asks too.
    if (this.#mostAhead(max) > 0 || count.hits >= max) this.#learn({ bucket, windowMs }, count);
    return count;
  }

  #report(window: Window): void {
    const { bucket, windowMs, unreported: hits } = window;
    this.#unreported.delete(window);
    window.unreported = 0;
    // They would count in the next window.
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
