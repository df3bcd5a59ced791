/** A million different keys in each memory that requests fill: what stays of them is bounded, also in bytes of the heap. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { ResponseCache } from '../../../src/http/answers/response-cache.js';
import type { Dependency, Representation } from '../../../src/http/interface/endpoint.js';
import { makeLocator } from '../../../src/http/interface/locate.js';
import { MemoryCounter } from '../../../src/identity/limits/counter.js';
import { fakeClock } from '../../support/clock.js';
import { startTestServer } from '../../support/server.js';

const million = 1_000_000;
const mebibyte = 2 ** 20;

/** Bytes of the heap after everything that is not needed has been freed. */
function heapUsed(): number {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect === 'function') collect();
  return process.memoryUsage().heapUsed;
}

/** Bytes that a million keys leave behind. Each would take a hundred or more if all were kept. */
async function grownBy(use: (at: number) => unknown): Promise<number> {
  const before = heapUsed();
  for (let at = 0; at < million; at += 1) {
    const used = use(at);
    if (used instanceof Promise) await used;
  }
  return heapUsed() - before;
}

test('of questions keep to the bytes of the memory of answers', async () => {
  const maxBytes = 16 * mebibyte;
  const cache = new ResponseCache({ maxBytes });
  let made = 0;
  const ask = (key: string) => {
    const dependency: Dependency = {
      set: 'pages',
      text: key,
      only: { column: 'id', values: [key] },
      includes: () => false,
    };
    const answer: Representation = {
      ...{ status: 200, type: 'text/plain', body: 'x'.repeat(100), length: 100, etag: null, headers: {} },
      caching: { kind: 'content', tags: [], dependsOn: () => [dependency] },
    };
    const produce = async () => {
      made += 1;
      return answer;
    };
    return cache.answer({ key, seconds: 60, now: () => 0, produce });
  };
  await ask('hot');
  const grown = await grownBy((at) => {
    if (at % 1000 === 0) void ask('hot');
    return ask(`question ${at}`);
  });
  expect(made).toBe(million + 1);
  expect(cache.use.bytes).toBeLessThanOrEqual(maxBytes);
  expect(grown).toBeLessThan(2 * maxBytes);
});

test('of addresses leave little behind', async () => {
  const { apis } = await startTestServer();
  const locate = makeLocator(apis, () => apis);
  expect(await grownBy((at) => locate(`/api/v1/resources?filter[id]=${at}`))).toBeLessThan(8 * mebibyte);
});

test('of callers keep to the number of windows that are counted', async () => {
  const counter = new MemoryCounter(fakeClock(), 10_000);
  const grown = await grownBy((at) => counter.count({ bucket: `caller ${at}`, windowMs: 60_000 }));
  expect(counter.size).toBeLessThanOrEqual(10_000);
  expect(grown).toBeLessThan(8 * mebibyte);
});
