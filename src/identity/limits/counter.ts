/** Places that count requests: the memory of a process or of the first one, or Redis. */

import { type Clock, within } from '../../clock/clock.js';
import { AppError, retrySeconds } from '../../errors/app-error.js';
import type { Log } from '../../log/observation.js';

export interface Hits {
  readonly bucket: string;
  readonly windowMs: number;
  readonly hits: number;
}

export interface CountQuestion extends Omit<Hits, 'hits'> {
  /** Absent: 1; 0 only looks. */
  readonly hits?: 0 | 1;
  /** When the shared count is lost: this process counts alone, or the request is refused as unavailable. */
  readonly whenLost: 'alone' | 'refuse';
}

export interface Count {
  readonly hits: number;
  readonly endsOn: number;
  readonly leftMs: number;
}

export interface RateCounter {
  /** A window begins with the first request of its bucket. */
  count(question: CountQuestion): Count | Promise<Count>;
}

/** Throws unavailable when the question does not allow to count alone. */
export function countWhileLost<Question extends Pick<CountQuestion, 'whenLost'>>(
  question: Question,
  alone: { readonly count: (question: Question) => Count },
): Count {
  if (question.whenLost === 'refuse') throw new AppError('unavailable', { details: { retryAfter: retrySeconds } });
  return alone.count(question);
}

/** About 33 MB. Beyond it each new bucket replaces an old one. */
const mostBuckets = 100_000;
/** Old buckets examined for each new one. */
const lookedAt = 2;

interface Window {
  /** By the clock that never goes back. */
  readonly endsAt: number;
  readonly endsOn: number;
  hits: number;
}

export class MemoryCounter implements RateCounter {
  readonly #clock: Pick<Clock, 'now' | 'elapsed'>;
  readonly #most: number;
  readonly #windows = new Map<string, Window>();
  #hand: MapIterator<[string, Window]> = this.#windows.entries();

  constructor(clock: Pick<Clock, 'now' | 'elapsed'>, most: number = mostBuckets) {
    this.#clock = clock;
    this.#most = most;
  }

  get size(): number {
    return this.#windows.size;
  }

  count({ bucket, windowMs, hits = 1 }: Omit<Hits, 'hits'> & Partial<Hits>): Count {
    const elapsed = this.#clock.elapsed();
    const known = this.#windows.get(bucket);
    // A window that ends later than a new one would: the setting was made shorter.
    if (known !== undefined && known.endsAt > elapsed && known.endsAt <= elapsed + windowMs) {
      known.hits += hits;
      return { hits: known.hits, endsOn: known.endsOn, leftMs: known.endsAt - elapsed };
    }
    if (hits === 0) return { hits, endsOn: this.#clock.now(), leftMs: 0 };
    const window = { endsAt: elapsed + windowMs, endsOn: this.#clock.now() + windowMs, hits };
    if (known === undefined) this.#makeRoom(elapsed);
    this.#windows.set(bucket, window);
    return { hits, endsOn: window.endsOn, leftMs: windowMs };
  }

  /** Windows differ in length, so one iterator goes round all; a new one would step over deleted entries. */
  #makeRoom(elapsed: number): void {
    for (let looked = 0; looked < lookedAt; looked += 1) {
      const next = this.#hand.next();
      if (next.done) {
        this.#hand = this.#windows.entries();
        continue;
      }
      const [bucket, window] = next.value;
      if (window.endsAt <= elapsed || this.#windows.size >= this.#most) this.#windows.delete(bucket);
    }
    if (this.#windows.size < this.#most) return;
    const first = this.#windows.keys().next();
    if (!first.done) this.#windows.delete(first.value);
  }
}

const waitFor = 2000;
/** Without a pause every request would wait for a lost place. */
const pauseFor = 1000;
const mostTogether = 512;
const during = 'counting requests in the first process';

/** Returns the count of each bucket after the last of its hits. */
export type AddHits = (hits: readonly Hits[]) => Promise<readonly (Count & Pick<Hits, 'bucket'>)[]>;

interface BatchCounterDeps {
  /** May count twice when it fails. */
  readonly add: AddHits;
  readonly clock: Clock;
  readonly log: Log;
}

interface Waiting {
  windowMs: number;
  readonly asked: { readonly hits: number; readonly settle: (outcome: Count | 'lost') => void }[];
}

/** Counts in the first process with one question at a time, so that a flood costs few questions. */
export class BatchCounter implements RateCounter {
  readonly #deps: BatchCounterDeps;
  readonly #alone: MemoryCounter;
  readonly #waiting = new Map<string, Waiting>();
  #running = false;
  #lostUntil = Number.NEGATIVE_INFINITY;
  #isLost = false;

  constructor(deps: BatchCounterDeps) {
    this.#deps = deps;
    this.#alone = new MemoryCounter(deps.clock);
  }

  /** Throws unavailable when the place does not count and the question does not allow to count alone. */
  async count(question: CountQuestion): Promise<Count> {
    const isPause = this.#deps.clock.elapsed() < this.#lostUntil;
    const outcome = isPause ? 'lost' : await this.#join(question);
    if (outcome !== 'lost') return outcome;
    return countWhileLost(question, this.#alone);
  }

  #join({ bucket, windowMs, hits = 1 }: CountQuestion): Promise<Count | 'lost'> {
    const waiting = this.#waiting.get(bucket) ?? { windowMs, asked: [] };
    waiting.windowMs = windowMs;
    this.#waiting.set(bucket, waiting);
    return new Promise((settle) => {
      waiting.asked.push({ hits, settle });
      if (!this.#running) void this.#run();
    });
  }

  /** Never rejects. */
  async #run(): Promise<void> {
    this.#running = true;
    while (this.#waiting.size > 0) {
      const batch = [...this.#waiting].slice(0, mostTogether);
      for (const [bucket] of batch) this.#waiting.delete(bucket);
      await this.#countBatch(new Map(batch));
    }
    this.#running = false;
  }

  async #countBatch(batch: ReadonlyMap<string, Waiting>): Promise<void> {
    const { add, clock } = this.#deps;
    const hits = [...batch].map(([bucket, { windowMs, asked }]) => ({ bucket, windowMs, hits: hitsOf(asked) }));
    const tooLate = () => new AppError('unavailable', { message: `No answer in time while ${during}` });
    try {
      const counts = await within(clock, { work: add(hits), limit: waitFor, tooLate });
      this.#isLost = false;
      for (const { bucket, hits: all, endsOn, leftMs } of counts) {
        const asked = batch.get(bucket)?.asked ?? [];
        let counted = all - hitsOf(asked);
        for (const { hits: own, settle } of asked) {
          counted += own;
          settle({ hits: counted, endsOn, leftMs });
        }
      }
    } catch (error) {
      this.#lostUntil = clock.elapsed() + pauseFor;
      // An outage affects many requests, so it is logged once.
      if (!this.#isLost) this.#deps.log({ kind: 'unexpected_error', during, error });
      this.#isLost = true;
    } finally {
      // Promises settle once: this reaches only requests without a count.
      for (const { asked } of batch.values()) for (const { settle } of asked) settle('lost');
    }
  }
}

function hitsOf(asked: Waiting['asked']): number {
  return asked.reduce((sum, { hits }) => sum + hits, 0);
}
