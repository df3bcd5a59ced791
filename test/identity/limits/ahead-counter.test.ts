/** Workers that count together: exact for small limits, at most 1 % more than a large one, with few questions. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AheadCounter } from '../../../src/identity/limits/ahead-counter.js';
import { BatchCounter } from '../../../src/identity/limits/batch-counter.js';
import type { Count, CountQuestion } from '../../../src/identity/limits/counter.js';
import { MemoryCounter } from '../../../src/identity/limits/memory-counter.js';
import type { Observation } from '../../../src/log/observation.js';
import { fakeClock } from '../../support/clock.js';

const minute = 60_000;

/** Workers whose messages to the first process wait until the test delivers them. */
function setUp(count: number) {
  const clock = fakeClock();
  const first = new MemoryCounter(clock);
  const log: Observation[] = [];
  let questions = 0;
  const workers = Array.from({ length: count }, () => {
    const waiting: (() => void)[] = [];
    let isDead = false;
    const shared = new BatchCounter({
      add: (hits) =>
        new Promise((resolve, reject) => {
          questions += 1;
          if (isDead) return reject(new Error('the channel is closed'));
          waiting.push(() => resolve(hits.map((one) => ({ bucket: one.bucket, ...first.count(one) }))));
        }),
      clock,
      log: (fact) => log.push(fact),
      during: 'counting requests in the first process',
    });
    return {
      counter: new AheadCounter({ shared, clock, workers: count }),
      /** The first process takes the message and the answer arrives. */
      async deliver() {
        waiting.shift()?.();
        await settle();
      },
      isWaiting: () => waiting.length > 0,
      die: () => {
        isDead = true;
      },
    };
  });
  const deliverAll = async (): Promise<void> => {
    while (workers.some(({ isWaiting }) => isWaiting())) for (const { deliver } of workers) await deliver();
  };
  return { clock, workers, log, deliverAll, questions: () => questions };
}

/** Lets every promise that can settle do so. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}

const question = (max: number, whenLost: CountQuestion['whenLost'] = 'refuse'): CountQuestion => ({
  bucket: 'a',
  windowMs: minute,
  max,
  whenLost,
});

describe('workers that count in their first process', () => {
  it('let at most 1 % more requests pass than the limit, and refuse none below it', async () => {
    const step = fc.record({
      worker: fc.nat({ max: 3 }),
      requests: fc.integer({ min: 1, max: 400 }),
      after: fc.constantFrom('nothing', 'deliver', 'wait'),
    });
    const limit = fc.oneof(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 300, max: 20_000 }));
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 2, max: 4 }),
        limit,
        fc.array(step, { maxLength: 60 }),
        async (n, max, steps) => {
          const { clock, workers, deliverAll } = setUp(n);
          const asked: (Count | Promise<Count>)[] = [];
          for (const { worker, requests, after } of steps) {
            const chosen = workers[worker % n];
            for (let sent = 0; sent < requests; sent += 1) {
              const count = chosen?.counter.count(question(max));
              if (count === undefined) continue;
              asked.push(count);
              if (!(count instanceof Promise)) expect(count.hits).toBeLessThanOrEqual(Math.max(max + 1, asked.length));
            }
            if (after === 'deliver') await chosen?.deliver();
            if (after === 'wait') await clock.advance(100);
          }
          await deliverAll();
          const counts = await Promise.all(asked);
          const passed = counts.filter(({ hits }) => hits <= max).length;
          expect(passed).toBeGreaterThanOrEqual(Math.min(max, asked.length));
          expect(passed).toBeLessThanOrEqual(max + Math.floor(max / 100));
        },
      ),
      { numRuns: 100 },
    );
  });

  it('count a small limit exactly, and show each request its number', async () => {
    const { workers, deliverAll } = setUp(2);
    const asked = Array.from({ length: 130 }, async (_, at) => workers[at % 2]?.counter.count(question(120)));
    await deliverAll();
    const hits = (await Promise.all(asked)).map((count) => count?.hits ?? 0);
    expect(hits.sort((one, other) => one - other)).toEqual(Array.from({ length: 130 }, (_, at) => at + 1));
  });

  it('ask rarely where the limit is large, and not at all once it is reached', async () => {
    const { clock, workers, deliverAll, questions } = setUp(2);
    const [worker] = workers;
    const max = 600_000;
    const firstOne = worker?.counter.count(question(max));
    await deliverAll();
    expect(await firstOne).toMatchObject({ hits: 1 });
    for (let at = 2; at <= 1500; at += 1) expect(worker?.counter.count(question(max))).toMatchObject({ hits: at });
    await clock.advance(100);
    await deliverAll();
    // The first request, half of what may be counted ahead, and the rest after 100 ms.
    expect(questions()).toBe(3);
    const over = worker?.counter.count(question(1000));
    expect(over).toMatchObject({ hits: 1501 });
    expect(worker?.counter.count(question(1000))).toMatchObject({ hits: 1501 });
    expect([questions(), clock.pending]).toEqual([3, 0]);
  });

  it('begin a new window when the old one has ended, without what was counted ahead in it', async () => {
    const { clock, workers, deliverAll, questions } = setUp(2);
    const short = { ...question(30_000), windowMs: 10 };
    const [worker, other] = workers;
    const begun = worker?.counter.count(short);
    await deliverAll();
    await begun;
    expect(worker?.counter.count(short)).toMatchObject({ hits: 2 });
    await clock.advance(100);
    expect(questions()).toBe(1);
    const next = [worker?.counter.count(short), other?.counter.count(short)];
    await deliverAll();
    expect((await Promise.all(next)).map((count) => count?.hits)).toEqual([1, 2]);
  });

  it('report what was counted ahead when they end', async () => {
    const { workers, deliverAll } = setUp(2);
    const [worker, other] = workers;
    const begun = worker?.counter.count(question(30_000));
    await deliverAll();
    await begun;
    for (let at = 2; at <= 41; at += 1) expect(worker?.counter.count(question(30_000))).toMatchObject({ hits: at });
    worker?.counter.flush();
    await deliverAll();
    const count = other?.counter.count(question(30_000));
    await deliverAll();
    expect(await count).toMatchObject({ hits: 42 });
  });

  it('count public reads alone and refuse the rest while the first process does not answer', async () => {
    const { workers, log } = setUp(2);
    const [worker] = workers;
    worker?.die();
    await expect(worker?.counter.count(question(10))).rejects.toMatchObject({ code: 'unavailable' });
    expect(await worker?.counter.count(question(10, 'alone'))).toMatchObject({ hits: 1 });
    expect(await worker?.counter.count(question(10, 'alone'))).toMatchObject({ hits: 2 });
    expect(log.map((fact) => fact.kind)).toEqual(['unexpected_error']);
  });
});
