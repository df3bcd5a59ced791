/** Cache headers and the server's own cache of anonymous answers (docs/reference/gateway.md#cache-headers). */
import { describe, expect, test } from 'vitest';
import { AppError } from '../../../src/errors/app-error.js';
import type { Call, Endpoint, Reply } from '../../../src/http/interface/endpoint.js';
import { fakeClock } from '../../support/clock.js';
import { deferred } from '../../support/deferred.js';
import { row, startTestServer } from '../../support/server.js';

const vary = 'Authorization, X-API-Key, X-Context, Cookie, Origin, Accept-Encoding';

/** A row that counts its calls and answers with the count. */
function counter(change: Partial<Endpoint> = {}, status = 200) {
  const calls: Call[] = [];
  const handler = async (call: Call): Promise<Reply> => {
    calls.push(call);
    return {
      status,
      body: { kind: 'json', value: { n: calls.length } },
      caching: { kind: 'content', tags: ['gateway:things', 'gateway:things:1'] },
    };
  };
  const parameters = ['limit', 'sort', 'filter'].map((name) => ({
    name,
    in: 'query' as const,
    description: name,
    schema: { type: 'string' },
    ...(name === 'filter' ? { brackets: 'names' as const } : {}),
  }));
  return { calls, endpoint: row({ name: 'counter', path: '/counter', handler, parameters, ...change }) };
}

async function startCounter(settings = {}) {
  const clock = fakeClock();
  const { calls, endpoint } = counter();
  const server = await startTestServer({ endpoints: [endpoint], clock, settings });
  return { clock, calls, server };
}

test('keeps an anonymous answer, counts its age, and makes it again after its time', async () => {
  const { clock, server } = await startCounter();
  const seen: unknown[] = [];
  for (const wait of [0, 1500, 297_499, 1001]) {
    await clock.advance(wait);
    const { text, headers } = await server.ask('/api/v1/counter');
    seen.push([text, headers['cache-control'], headers.age, headers.vary, headers['cache-tag']]);
  }
  const tags = 'gateway:things,gateway:things:1';
  expect(seen).toEqual([
    ['{"n":1}', 'public, max-age=300', '0', vary, tags],
    ['{"n":1}', 'public, max-age=299', '1', vary, tags],
    ['{"n":1}', 'public, max-age=2', '298', vary, tags],
    ['{"n":2}', 'public, max-age=300', '0', vary, tags],
  ]);
});

test('the lifetime follows its setting', async () => {
  const { calls, server } = await startCounter({ gateway_cache_ttl: 7 });
  expect((await server.ask('/api/v1/counter')).headers['cache-control']).toBe('public, max-age=7');
  server.set({ gateway_cache_ttl: 0 });
  expect((await server.ask('/api/v1/counter')).headers['cache-control']).toBe('public, max-age=0');
  await server.ask('/api/v1/counter');
  expect(calls.length).toBe(3);
});

test('turned off, nothing is kept anywhere', async () => {
  const { calls, server } = await startCounter({ gateway_cache_enabled: false });
  await server.ask('/api/v1/counter');
  const { headers } = await server.ask('/api/v1/counter');
  const { 'cache-control': caching, age, 'cache-tag': tags } = headers;
  expect([caching, age, tags, calls.length]).toEqual(['private, no-store', undefined, undefined, 2]);
});

test('an identity gets neither a kept answer nor leaves one behind', async () => {
  const { server } = await startCounter();
  const headers = { Authorization: 'Bearer good' };
  expect((await server.ask('/api/v1/counter', { headers })).text).toBe('{"n":1}');
  expect((await server.ask('/api/v1/counter')).text).toBe('{"n":2}');
  const own = await server.ask('/api/v1/counter', { headers });
  const { 'cache-control': caching, age } = own.headers;
  expect([own.text, caching, age]).toEqual(['{"n":3}', 'private, no-store, no-transform', undefined]);
  expect((await server.ask('/api/v1/counter')).text).toBe('{"n":2}');
});

test('a wrong credential is refused although the answer is kept', async () => {
  const { server } = await startCounter();
  await server.ask('/api/v1/counter');
  expect((await server.ask('/api/v1/counter', { headers: { Authorization: 'Bearer bad' } })).status).toBe(401);
});

describe('which requests share an answer', () => {
  test.each<[name: string, first: string, second: string, shared: boolean]>([
    ['the same address', '/api/v1/counter', '/api/v1/counter', true],
    ['the fallback entry', '/api/v1/counter', '/api.php?route=/v1/counter', true],
    ['an unknown parameter', '/api/v1/counter', '/api/v1/counter?utm=1&x[y]=2', true],
    ['another index of a list', '/api/v1/counter?filter[a][]=1', '/api/v1/counter?filter[a][7]=1', true],
    ['another order of names', '/api/v1/counter?limit=1&sort=id', '/api/v1/counter?sort=id&limit=1', true],
    ['another spelling of the same text', '/api/v1/counter?sort=a%20b', '/api/v1/counter?sort=a+b', true],
    ['another value', '/api/v1/counter?limit=1', '/api/v1/counter?limit=2', false],
    ['an empty and an absent value', '/api/v1/counter?limit=', '/api/v1/counter', false],
    ['another bracket', '/api/v1/counter?filter[a]=1', '/api/v1/counter?filter[b]=1', false],
    ['another order of a repeated name', '/api/v1/counter?limit=1&limit=2', '/api/v1/counter?limit=2&limit=1', false],
    ['values that look like separators', '/api/v1/counter?sort=1%26limit%3D2', '/api/v1/counter?sort=1&limit=2', false],
  ])('%s', async (_name, first, second, shared) => {
    const { server } = await startCounter();
    await server.ask(first);
    expect((await server.ask(second)).text).toBe(shared ? '{"n":1}' : '{"n":2}');
  });

  test('HEAD and GET do', async () => {
    const { calls, server } = await startCounter();
    const head = await server.ask('/api/v1/counter', { method: 'HEAD' });
    const get = await server.ask('/api/v1/counter');
    expect([head.text, get.text, calls.length]).toEqual(['', '{"n":1}', 1]);
    expect(head.headers.etag).toBe(get.headers.etag);
  });

  test('different contexts do not', async () => {
    const { server } = await startCounter();
    await server.ask('/api/v1/counter', { headers: { 'X-Context': 'web' } });
    expect((await server.ask('/api/v1/counter', { headers: { 'X-Context': 'de' } })).text).toBe('{"n":2}');
    expect((await server.ask('/api/v1/counter')).text).toBe('{"n":3}');
    expect((await server.ask('/api/v1/counter', { headers: { 'X-Context': 'web' } })).text).toBe('{"n":1}');
  });

  test('different media types do not', async () => {
    const { endpoint } = counter({ produces: ['application/json', 'application/x-thing'] });
    const server = await startTestServer({ endpoints: [endpoint] });
    await server.ask('/api/v1/counter');
    const other = await server.ask('/api/v1/counter', { headers: { Accept: 'application/x-thing' } });
    expect([other.text, other.headers.vary]).toEqual(['{"n":2}', `${vary}, Accept`]);
  });

  test('a key that is too long is not kept', async () => {
    const { calls, server } = await startCounter();
    const path = `/api/v1/counter?sort=${'a'.repeat(3000)}`;
    await server.ask(path);
    await server.ask(path);
    expect(calls.length).toBe(2);
  });
});

describe('which answers are kept', () => {
  test.each<[name: string, status: number, caching: Reply['caching'], header: string]>([
    ['kind never', 200, { kind: 'never' }, 'no-store'],
    ['kind static', 200, { kind: 'static', seconds: 60 }, 'public, max-age=60'],
    ['another status', 202, { kind: 'content', tags: [] }, 'public, max-age=300'],
    ['an error given as reply', 404, { kind: 'content', tags: [] }, 'no-store'],
  ])('not %s', async (_name, status, caching, header) => {
    let calls = 0;
    const handler = async (): Promise<Reply> => {
      calls += 1;
      return { status, body: { kind: 'json', value: { calls } }, caching };
    };
    const server = await startTestServer({ endpoints: [row({ name: 'x', path: '/x', handler })] });
    expect((await server.ask('/api/v1/x')).headers['cache-control']).toBe(header);
    await server.ask('/api/v1/x');
    expect(calls).toBe(2);
  });

  test('answers of writes neither read nor fill the cache', async () => {
    const { calls, endpoint } = counter({ method: 'POST' });
    const server = await startTestServer({ endpoints: [endpoint] });
    const options = { method: 'POST' };
    await server.ask('/api/v1/counter', options);
    const { headers } = await server.ask('/api/v1/counter', options);
    expect([calls.length, headers['cache-control'], headers.etag]).toEqual([2, 'no-store', undefined]);
  });

  test('keeps as many answers as the memory allows, the ones used last', async () => {
    const { calls, endpoint } = counter();
    const server = await startTestServer({ endpoints: [endpoint], limits: { cacheBytes: 16_384 } });
    await server.ask('/api/v1/counter?limit=0');
    for (let index = 1; index <= 50; index += 1) {
      await server.ask(`/api/v1/counter?limit=${index}`);
      await server.ask('/api/v1/counter?limit=0');
    }
    expect(calls.length).toBe(51);
    await server.ask('/api/v1/counter?limit=1');
    expect(calls.length).toBe(52);
  });
});

describe('a change of content', () => {
  test('drops what is kept', async () => {
    const { server } = await startCounter();
    await server.ask('/api/v1/counter');
    server.bumpGeneration();
    expect((await server.ask('/api/v1/counter')).text).toBe('{"n":2}');
    server.server.clearCache();
    expect((await server.ask('/api/v1/counter')).text).toBe('{"n":3}');
  });

  test('during an answer keeps that answer out of the cache', async () => {
    const gates = [deferred(), deferred()];
    const started = [deferred(), deferred()];
    let calls = 0;
    const handler = async (): Promise<Reply> => {
      const n = calls;
      calls += 1;
      started[n]?.resolve();
      await gates[n]?.promise;
      return { status: 200, body: { kind: 'json', value: { n } }, caching: { kind: 'content', tags: [] } };
    };
    const server = await startTestServer({ endpoints: [row({ name: 'x', path: '/x', handler })] });
    const old = server.ask('/api/v1/x');
    await started[0]?.promise;
    server.bumpGeneration();
    // Asked after the change: must not wait for the answer begun before it.
    const fresh = server.ask('/api/v1/x');
    await started[1]?.promise;
    gates[1]?.resolve();
    expect((await fresh).text).toBe('{"n":1}');
    // The old answer ends last and must not take the place of the new one.
    gates[0]?.resolve();
    expect((await old).text).toBe('{"n":0}');
    expect((await server.ask('/api/v1/x')).text).toBe('{"n":1}');
  });
});

describe('many equal requests at once', () => {
  async function ask20(outcome: () => Promise<Reply>) {
    const gate = deferred();
    let calls = 0;
    const arrived = deferred();
    let counted = 0;
    const handler = async (): Promise<Reply> => {
      calls += 1;
      await gate.promise;
      return outcome();
    };
    const server = await startTestServer({
      endpoints: [row({ name: 'x', path: '/x', handler })],
      gateway: {
        admit: () => {
          counted += 1;
          if (counted === 20) arrived.resolve();
        },
      },
    });
    const asked = Array.from({ length: 20 }, () => server.ask('/api/v1/x'));
    await arrived.promise;
    gate.resolve();
    const answers = await Promise.all(asked);
    const ids = new Set(answers.map(({ headers }) => headers['x-request-id']));
    return { calls, statuses: [...new Set(answers.map(({ status }) => status))], ids: ids.size };
  }

  const body = { kind: 'json', value: {} } as const;

  test('make one answer', async () => {
    const seen = await ask20(async () => ({ status: 200, body, caching: { kind: 'content', tags: [] } }));
    expect(seen).toEqual({ calls: 1, statuses: [200], ids: 20 });
  });

  test('share a refusal', async () => {
    const seen = await ask20(() => Promise.reject(new AppError('not_found')));
    expect(seen).toEqual({ calls: 1, statuses: [404], ids: 20 });
  });

  test('do not share what is never kept', async () => {
    const seen = await ask20(async () => ({ status: 200, body, caching: { kind: 'never' } }));
    expect(seen).toEqual({ calls: 20, statuses: [200], ids: 20 });
  });

  test('do not share a fault', async () => {
    const seen = await ask20(() => Promise.reject(new TypeError('broken')));
    expect(seen).toEqual({ calls: 20, statuses: [500], ids: 20 });
  });
});
