/** Counting in the first process: exact for many requests at once, in few questions, and safe while it does not answer. */
import { expect, it } from 'vitest';
import { type AddHits, MemoryCounter } from '../../../src/identity/limits/counter.js';
import { BatchCounter } from '../../../src/identity/limits/open-counter.js';
import type { Observation } from '../../../src/log/observation.js';
import { fakeClock } from '../../support/clock.js';

const windowMs = 60_000;

function workers(count: number) {
  const clock = fakeClock();
  const first = new MemoryCounter(clock);
  const log: Observation[] = [];
  let questions = 0;
  let isAway = false;
  const add: AddHits = async (hits) => {
    questions += 1;
    if (isAway) return new Promise(() => undefined);
    return hits.map((one) => ({ bucket: one.bucket, ...first.count(one) }));
  };
  const counters = Array.from({ length: count }, () => new BatchCounter({ add, clock, log: (fact) => log.push(fact) }));
  const goAway = (away: boolean) => {
    isAway = away;
  };
  const ask = (index: number, bucket: string, whenLost: 'alone' | 'refuse' = 'refuse') =>
    (counters[index % count] as BatchCounter).count({ bucket, windowMs, whenLost });
  return { clock, log, ask, questions: () => questions, goAway };
}

it('gives each of 400 parallel requests of four workers a different number', async () => {
  const { ask, questions } = workers(4);
  const counts = await Promise.all(Array.from({ length: 400 }, (_, index) => ask(index, 'one')));
  expect(counts.map(({ hits }) => hits).sort((a, b) => a - b)).toEqual(Array.from({ length: 400 }, (_, i) => i + 1));
  expect(questions()).toBeLessThan(12);
});

it('counts the callers that ask meanwhile in one question', async () => {
  const { ask, questions } = workers(1);
  const counts = await Promise.all(Array.from({ length: 200 }, (_, index) => ask(0, `bucket ${index % 40}`)));
  for (const place of [1, 2, 3, 4, 5]) expect(counts.filter(({ hits }) => hits === place)).toHaveLength(40);
  expect(questions()).toBe(2);
});

it('refuses, or lets the worker count alone, two seconds after the question and for a second; then asks again', async () => {
  const { ask, clock, log, goAway, questions } = workers(1);
  goAway(true);
  const refused = expect(ask(0, 'a')).rejects.toMatchObject({ code: 'unavailable', details: { retryAfter: 5 } });
  const alone = ask(0, 'a', 'alone');
  await clock.advance(2000);
  await refused;
  await clock.advance(2000);
  expect((await alone).hits).toBe(1);
  const asked = questions();
  expect((await ask(0, 'a', 'alone')).hits).toBe(2);
  expect(questions()).toBe(asked);
  expect(log.map((fact) => fact.kind === 'unexpected_error' && fact.during)).toEqual([
    'counting requests in the first process',
  ]);
  goAway(false);
  await clock.advance(1000);
  expect((await ask(0, 'a')).hits).toBe(1);
});
