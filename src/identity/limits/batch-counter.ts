/** Counts in the first process with one question at a time, so that a flood costs few questions. */
import { type Clock, within } from '../../clock/clock.js';
import { AppError } from '../../errors/app-error.js';
import type { Log } from '../../log/observation.js';
import {
  type Count,
  type CountQuestion,
  countWhileLost,
  type Hits,
  MemoryCounter,
  type RateCounter,
} from './counter.js';

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
  readonly asked: ((outcome: Count | 'lost') => void)[];
}

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

  #join({ bucket, windowMs }: CountQuestion): Promise<Count | 'lost'> {
    const waiting = this.#waiting.get(bucket) ?? { windowMs, asked: [] };
    waiting.windowMs = windowMs;
    this.#waiting.set(bucket, waiting);
    return new Promise((settle) => {
      waiting.asked.push(settle);
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
    const hits = [...batch].map(([bucket, { windowMs, asked }]) => ({ bucket, windowMs, hits: asked.length }));
    const tooLate = () => new AppError('unavailable', { message: `No answer in time while ${during}` });
    try {
      const counts = await within(clock, { work: add(hits), limit: waitFor, tooLate });
      this.#isLost = false;
      for (const { bucket, hits: all, endsOn, leftMs } of counts) {
        const asked = batch.get(bucket)?.asked ?? [];
        for (const [at, settle] of asked.entries()) settle({ hits: all - asked.length + at + 1, endsOn, leftMs });
      }
    } catch (error) {
      this.#lostUntil = clock.elapsed() + pauseFor;
      // An outage affects many requests, so it is logged once.
      if (!this.#isLost) this.#deps.log({ kind: 'unexpected_error', during, error });
      this.#isLost = true;
    } finally {
      // Promises settle once: this reaches only requests without a count.
      for (const { asked } of batch.values()) for (const settle of asked) settle('lost');
    }
  }
}
