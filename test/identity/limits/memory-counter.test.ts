/** Counting in memory against a model on a clock that the test moves: exact, told truly, bounded. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judge, MemoryCounter, type RateRule } from '../../../src/identity/limits/counter.js';

const start = Date.UTC(2026, 10, 21, 9, 30);

/** Both clocks of the program, moved by hand. */
function handClock() {
  let time = 0;
  return {
    now: () => start + time,
    elapsed: () => time,
    advance: (ms: number) => {
      time += ms;
    },
  };
}

/** A fixed window: it begins with the first request and ends after its length. */
class Model {
  readonly #windows = new Map<string, { readonly begin: number; hits: number }>();

  hit(bucket: string, windowMs: number, at: number): { readonly hits: number; readonly end: number } {
    const known = this.#windows.get(bucket);
    const window = known !== undefined && at < known.begin + windowMs ? known : { begin: at, hits: 0 };
    window.hits += 1;
    this.#windows.set(bucket, window);
    return { hits: window.hits, end: window.begin + windowMs };
  }
}

describe('the counter in memory', () => {
  it('agrees with the model over random arrivals, headers included', () => {
    const arrival = fc.record({ wait: fc.integer({ min: 0, max: 4000 }), bucket: fc.constantFrom('a', 'b', 'c') });
    const rule = fc.record({ max: fc.integer({ min: 1, max: 5 }), windowSeconds: fc.integer({ min: 1, max: 8 }) });
    fc.assert(
      fc.property(fc.array(arrival, { maxLength: 200 }), rule, (arrivals, { max, windowSeconds }) => {
        const clock = handClock();
        const counter = new MemoryCounter(clock);
        const model = new Model();
        const windowMs = windowSeconds * 1000;
        for (const { wait, bucket } of arrivals) {
          clock.advance(wait);
          const { hits, end } = model.hit(bucket, windowMs, clock.elapsed());
          const { headers, error } = judge({ max, windowSeconds }, counter.count({ bucket, windowMs }));
          expect(headers).toEqual({
            'X-RateLimit-Limit': String(max),
            'X-RateLimit-Remaining': String(Math.max(0, max - hits)),
            'X-RateLimit-Reset': String(Math.ceil((start + end) / 1000)),
          });
          expect(Number(headers['X-RateLimit-Reset']) * 1000).toBeGreaterThan(clock.now());
          expect(error?.code).toBe(hits > max ? 'rate_limited' : undefined);
          if (hits > max) expect(error?.details.retryAfter).toBe(Math.ceil((end - clock.elapsed()) / 1000));
        }
      }),
      { numRuns: 200 },
    );
  });

  it('allows a request after Retry-After, at any moment', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 900, noNaN: true }), { minLength: 3, maxLength: 40 }), (waits) => {
        const clock = handClock();
        const counter = new MemoryCounter(clock);
        const rule: RateRule = { max: 2, windowSeconds: 7 };
        const ask = () => judge(rule, counter.count({ bucket: 'a', windowMs: 7000 }));
        for (const wait of waits) {
          clock.advance(wait);
          const { error } = ask();
          if (error === undefined) continue;
          expect(error.details.retryAfter).toBeGreaterThanOrEqual(1);
          clock.advance((error.details.retryAfter ?? 0) * 1000);
          expect(ask().error).toBeUndefined();
        }
      }),
      { numRuns: 300 },
    );
  });

  it('starts a new window when the window was made shorter', () => {
    const clock = handClock();
    const counter = new MemoryCounter(clock);
    for (let asked = 0; asked < 5; asked += 1) counter.count({ bucket: 'a', windowMs: 3_600_000 });
    expect(counter.count({ bucket: 'a', windowMs: 10_000 })).toEqual({
      hits: 1,
      endsOn: start + 10_000,
      leftMs: 10_000,
    });
  });

  it('removes windows that ended, also behind one that still runs', () => {
    const clock = handClock();
    const counter = new MemoryCounter(clock);
    counter.count({ bucket: 'long', windowMs: 3_600_000 });
    for (let subject = 0; subject < 1000; subject += 1) counter.count({ bucket: `old ${subject}`, windowMs: 1000 });
    clock.advance(1000);
    for (let subject = 0; subject < 1001; subject += 1) counter.count({ bucket: `new ${subject}`, windowMs: 1000 });
    expect(counter.size).toBeLessThanOrEqual(1003);
    expect(counter.count({ bucket: 'long', windowMs: 3_600_000 }).hits).toBe(2);
  });

  it('keeps its memory bounded with a million callers', () => {
    const counter = new MemoryCounter(handClock());
    for (let subject = 0; subject < 1_000_000; subject += 1) {
      counter.count({
        bucket: `gateway|2001:db8:${(subject >> 16).toString(16)}:${(subject & 65535).toString(16)}::/64`,
        windowMs: 60_000,
      });
    }
    expect(counter.size).toBe(100_000);
  });
});
