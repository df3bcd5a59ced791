/** Chooses where requests are counted for rate limits, and opens it: in memory, in the first process, or in Redis. */
import { type Clock, within } from '../../clock/clock.js';
import { parseRedisUrl } from '../../config/address-values.js';
import type { Config } from '../../config/definitions.js';
import { AppError } from '../../errors/app-error.js';
import type { Log } from '../../log/observation.js';
import {
  type AddHits,
  type Count,
  type CountQuestion,
  countWhileLost,
  MemoryCounter,
  type RateCounter,
} from './counter.js';
import {
  describeFailure,
  isLasting,
  openRedisLink,
  RedisConnection,
  type RedisCounting,
  RedisFailure,
} from './redis-link.js';

/** `workers`: the first process counts for all of them. */
export type CounterPlace = 'memory' | 'workers' | { readonly redisUrl: string; readonly prefix: string };

/** Several processes must count together; a single one is faster in its own memory. */
export function counterPlace(
  config: Pick<Config, 'rate_limit_store' | 'workers' | 'redis' | 'redis_prefix'>,
): CounterPlace {
  const { rate_limit_store: wanted, workers, redis, redis_prefix: prefix } = config;
  if (wanted === 'memory') return wanted;
  if (redis !== null) return { redisUrl: redis, prefix };
  return workers > 1 ? 'workers' : 'memory';
}

interface CounterDeps {
  readonly place: CounterPlace;
  /** Asks the first process, where this is one of several. */
  readonly firstProcess?: AddHits | undefined;
  readonly clock: Clock;
  readonly log: Log;
}

/** Throws configuration_invalid when Redis refuses what waiting will not change. */
export async function openRateCounter({
  place,
  firstProcess: add,
  ...deps
}: CounterDeps): Promise<{ readonly counter: RateCounter; close(): void }> {
  const { clock } = deps;
  if (typeof place === 'string') {
    const counter = place === 'workers' && add ? new BatchCounter({ add, ...deps }) : new MemoryCounter(clock);
    return { counter, close: () => undefined };
  }
  const address = parseRedisUrl(place.redisUrl);
  if (address === undefined)
    throw new AppError('configuration_invalid', { message: 'HCD_REDIS_URL is not a Redis address' });
  const open = () => openRedisLink({ address, prefix: place.prefix, clock });
  const counter = new RedisCounter({ ...deps, open });
  await counter.start();
  return { counter, close: () => counter.close() };
}

interface RedisCounterDeps {
  /** Rejects with a RedisFailure. */
  readonly open: () => Promise<RedisCounting>;
  readonly clock: Clock;
  readonly log: Log;
}

export class RedisCounter implements RateCounter {
  readonly #alone: MemoryCounter;
  readonly #connection: RedisConnection<RedisCounting>;
  #uncounted = 0;

  constructor({ open, clock, log }: RedisCounterDeps) {
    this.#alone = new MemoryCounter(clock);
    this.#connection = new RedisConnection({
      ...{ open, clock, log, during: 'connecting to Redis' },
      onLost: ({ code }) => log({ kind: 'redis_unavailable', code }),
      onOpened: (wasLost) => {
        if (wasLost) log({ kind: 'redis_recovered', uncounted: this.#uncounted });
        this.#uncounted = 0;
      },
    });
  }

  /** Throws configuration_invalid when Redis refuses what waiting will not change. */
  async start(): Promise<void> {
    const failure = await this.#connection.start(isLasting);
    if (failure === null) return;
    const message = `HCD_REDIS_URL (redis in hcd.toml): ${describeFailure(failure)}`;
    throw new AppError('configuration_invalid', { message, cause: failure });
  }

  /** Throws unavailable when Redis does not count and the question does not allow counting alone. */
  async count(question: CountQuestion): Promise<Count> {
    const { link } = this.#connection;
    if (link !== null) {
      try {
        return await link.addHit(question);
      } catch (error) {
        if (!(error instanceof RedisFailure)) throw error;
        this.#connection.lose(link, error);
      }
    }
    this.#uncounted += 1;
    return countWhileLost(question, this.#alone);
  }

  close(): void {
    this.#connection.close();
  }
}

const waitFor = 2000;
/** Without a pause every request would wait for a lost place. */
const pauseFor = 1000;
const mostTogether = 512;
const during = 'counting requests in the first process';

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
class BatchCounter implements RateCounter {
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

  /** Throws unavailable when the place does not count and the question does not allow counting alone. */
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
