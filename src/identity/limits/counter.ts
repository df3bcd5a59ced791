/** Counts requests, in memory here or in another place, and refuses those above a limit, with its headers. */
import type { Identity } from '../../access/identity.js';
import type { Clock } from '../../clock/clock.js';
import { AppError, retrySeconds } from '../../errors/app-error.js';
import { after } from '../../values/after.js';

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

/** Throws unavailable when the question does not allow counting alone. */
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

/** Returns the count of each bucket after the last of its hits. */
export type AddHits = (hits: readonly Hits[]) => Promise<readonly (Count & Pick<Hits, 'bucket'>)[]>;

export interface RateRule {
  /** 0 = unlimited. */
  readonly max: number;
  readonly windowSeconds: number;
}

export interface RateVerdict {
  readonly headers: Readonly<Record<string, string>>;
  readonly error?: AppError;
}

/** Each value of the caller replaces the general one. */
export function ruleFor(general: RateRule, identity: Identity): RateRule {
  const own = 'rateLimit' in identity ? identity.rateLimit : undefined;
  if (own === undefined) return general;
  return { max: positive(own.max) ?? general.max, windowSeconds: positive(own.windowSeconds) ?? general.windowSeconds };
}

function positive(value: number | null): number | null {
  return value !== null && value > 0 ? value : null;
}

export function callerBucket(api: string, identity: Identity, address: string): string {
  return identity.kind === 'anonymous' ? `${api}|${address}` : `${api}|${identity.kind}:${identity.id}|${address}`;
}

/** Without a limit no request is counted; the headers say so by zeros. */
export const unlimited: RateVerdict = Object.freeze({
  headers: Object.freeze(rateHeaders({ limit: 0, remaining: 0, reset: 0 })),
});

interface CountedRequest extends Omit<CountQuestion, 'windowMs'> {
  readonly rule: RateRule;
}

export function countRequest(counter: RateCounter, { rule, ...request }: CountedRequest) {
  const count = counter.count({ ...request, windowMs: rule.windowSeconds * 1000 });
  return after(count, (found) => judge(rule, found));
}

export function judge({ max }: RateRule, { hits, endsOn, leftMs }: Count): RateVerdict {
  const headers = rateHeaders({
    limit: max,
    remaining: Math.max(0, max - hits),
    reset: Math.ceil(endsOn / 1000),
  });
  if (hits <= max) return { headers };
  const retryAfter = Math.max(1, Math.ceil(leftMs / 1000));
  return { headers, error: new AppError('rate_limited', { details: { retryAfter } }) };
}

function rateHeaders(values: { readonly limit: number; readonly remaining: number; readonly reset: number }) {
  return {
    'X-RateLimit-Limit': String(values.limit),
    'X-RateLimit-Remaining': String(values.remaining),
    'X-RateLimit-Reset': String(values.reset),
  };
}

const refusedRule: RateRule = { max: 100, windowSeconds: 15 * 60 };

/** Makes a network wait after a hundred refused keys. Unguessable keys pass: a neighbour must not block them. */
export class RefusedKeys {
  readonly #counter: RateCounter;

  constructor(counter: RateCounter) {
    this.#counter = counter;
  }

  /** Returns rate_limited when the network has sent too many, else null. With 0 hits it only looks. */
  async count(network: string, hits: 0 | 1 = 1): Promise<AppError | null> {
    const request = { bucket: `refused-keys|${network}`, rule: refusedRule, hits, whenLost: 'alone' } as const;
    return (await countRequest(this.#counter, request)).error ?? null;
  }

  /** As a limit counts a refused request. */
  async verdict(network: string): Promise<RateVerdict | null> {
    const error = await this.count(network);
    return error === null ? null : { headers: {}, error };
  }
}
