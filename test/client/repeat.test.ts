/** When the client sends a request again, how long it waits, and how it is stopped. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createClient } from '../../client/src/client.js';

type Reply = Response | Error;

const ok = (): Response => Response.json({ data: { id: 1 }, meta: {} });
const busy = (status: number, headers: Record<string, string> = {}): Response =>
  Response.json({ code: 'rate_limited', title: 'Too many' }, { status, headers });

/** A client whose requests get these answers in turn; how often it asked, and the methods and headers. */
function answering(replies: readonly (() => Reply)[], options: object = {}) {
  const asked: RequestInit[] = [];
  const fetch = async (_url: unknown, init: RequestInit = {}): Promise<Response> => {
    init.signal?.throwIfAborted();
    const reply = replies[asked.push(init) - 1]?.() ?? new Error('asked too often');
    if (reply instanceof Error) throw reply;
    return reply;
  };
  return {
    client: createClient({ url: 'https://site.example', fetch: fetch as typeof globalThis.fetch, ...options }),
    asked,
  };
}

/** The result of a promise, and the seconds that passed on the clock of the test. */
async function timed<T>(work: Promise<T>): Promise<{ result: T; seconds: number }> {
  const start = Date.now();
  const settled = work.then((result) => ({ result, seconds: Math.round((Date.now() - start) / 1000) }));
  settled.catch(() => undefined);
  await vi.runAllTimersAsync();
  return settled;
}

beforeEach(() => {
  vi.useFakeTimers({ now: Date.UTC(2026, 10, 24) });
});
afterEach(() => {
  vi.useRealTimers();
});

describe('a request is sent again', () => {
  it.each([
    ['after the seconds of Retry-After', () => busy(429, { 'retry-after': '7' }), 7],
    ['after the time of Retry-After', () => busy(503, { 'retry-after': 'Tue, 24 Nov 2026 00:00:09 GMT' }), 9],
    [
      'at the end of the window where Retry-After cannot be read',
      () => busy(429, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(Date.UTC(2026, 10, 24) / 1000 + 5) }),
      5,
    ],
    ['soon after a gateway error', () => new Response('<h1>Bad Gateway</h1>', { status: 502 }), 0],
    ['soon after a lost connection', () => new TypeError('fetch failed'), 0],
  ])('%s', async (_name, first, seconds) => {
    const { client, asked } = answering([first, ok]);
    expect(await timed(client.get('resources', 1))).toEqual({ result: { data: { id: 1 }, meta: {} }, seconds });
    expect(asked.length).toBe(2);
  });

  it('as a change when the server was too busy to take it', async () => {
    const { client, asked } = answering([() => busy(429, { 'retry-after': '1' }), ok]);
    await timed(client.update('resources', 1, {}));
    expect(asked.map(({ method }) => method)).toEqual(['PATCH', 'PATCH']);
  });

  it('as a creation with the same key', async () => {
    const { client, asked } = answering([() => new TypeError('lost'), ok]);
    await timed(client.create('resources', {}));
    const [first, second] = asked.map(({ headers }) => (headers as Record<string, string>)['idempotency-key']);
    expect(first).toMatch(/^[0-9a-f-]{36}$/);
    expect(second).toBe(first);
  });
});

describe('a request is not sent again', () => {
  it.each([
    ['when it is refused', () => busy(422), { status: 422 }],
    [
      'when the server wants a longer wait',
      () => busy(429, { 'retry-after': '3600' }),
      { status: 429, retryAfter: 3600 },
    ],
    ['when fetch fails for another reason', () => new RangeError('no'), { message: 'no' }],
    ['when the answer is not JSON', () => new Response('<p>'), { name: 'SyntaxError' }],
  ])('%s', async (_name, reply, error) => {
    const { client, asked } = answering([reply]);
    await expect(timed(client.get('resources', 1))).rejects.toMatchObject(error);
    expect(asked.length).toBe(1);
  });

  it('as a change whose answer was lost', async () => {
    const { client, asked } = answering([() => new TypeError('lost')]);
    await expect(timed(client.update('resources', 1, {}))).rejects.toThrow('lost');
    expect(asked.length).toBe(1);
  });

  it('more often than it may be', async () => {
    const replies = Array.from({ length: 9 }, () => () => busy(503, { 'retry-after': '0' }));
    const { client, asked } = answering(replies, { retries: 2 });
    await expect(timed(client.get('resources', 1))).rejects.toMatchObject({ status: 503 });
    expect(asked.length).toBe(3);
  });
});

describe('a request is stopped', () => {
  it('while it waits', async () => {
    const { client, asked } = answering([() => busy(429, { 'retry-after': '50' }), ok]);
    const stop = new AbortController();
    setTimeout(() => stop.abort(new Error('enough')), 1000);
    const work = timed(client.get('resources', 1, {}, { signal: stop.signal }));
    await expect(work).rejects.toThrow('enough');
    expect([asked.length, vi.getTimerCount()]).toEqual([1, 0]);
  });

  it('before it is sent', async () => {
    const { client, asked } = answering([ok]);
    await expect(client.get('resources', 1, {}, { signal: AbortSignal.abort(new Error('no')) })).rejects.toThrow('no');
    expect(asked.length).toBe(0);
  });
});

describe('kept answers', () => {
  it('are as many as fit, the oldest gone first', async () => {
    const tagged = (text: string) => Response.json({ data: { text }, meta: {} }, { headers: { etag: '"x"' } });
    const texts = ['a', 'b', 'c', 'd', 'e', 'a', 'e'].map((text) => () => tagged(text.repeat(180)));
    const { client, asked } = answering(texts, { keep: 900 });
    for (const id of [1, 2, 3, 4, 5, 1, 5]) await client.get('resources', id);
    const tags = asked.map(({ headers }) => (headers as Record<string, string>)['if-none-match']);
    expect(tags).toEqual([undefined, undefined, undefined, undefined, undefined, undefined, '"x"']);
  });
});

describe('a script of another origin', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  it('sends no header that the server does not allow, and the preview as a parameter', async () => {
    vi.stubGlobal('location', { origin: 'https://www.example' });
    const urls: string[] = [];
    const headers: string[] = [];
    const fetch = async (url: string, init: RequestInit): Promise<Response> => {
      urls.push(url);
      headers.push(...Object.keys(init.headers as object));
      return Response.json({ data: {}, meta: {} }, { headers: { etag: '"x"' } });
    };
    const client = createClient({ url: 'https://site.example', key: 'gk', fetch: fetch as typeof globalThis.fetch });
    for (const one of [client, client, client.draft('pv_1')]) await one.get('resources', 1);
    expect(urls.slice(1)).toEqual([
      'https://site.example/api/v1/resources/1',
      'https://site.example/api/v1/resources/1?preview_token=pv_1',
    ]);
    expect(new Set(headers)).toEqual(new Set(['accept', 'authorization']));
  });

  it.each<[string, object, string]>([
    ['no parameters', {}, ''],
    [
      'a flag, nothing and a list',
      { preview: true, q: undefined, fields: ['id', 'uri'] },
      '?preview=1&fields=id%2Curi',
    ],
    [
      'a filter',
      { filter: { id: { in: [1, 2] }, parent: null, alias: 'a&b=c d' } },
      '?filter%5Bid%5D%5Bin%5D%5B%5D=1&filter%5Bid%5D%5Bin%5D%5B%5D=2&filter%5Bparent%5D%5Bnull%5D=1&filter%5Balias%5D%5Beq%5D=a%26b%3Dc%20d',
    ],
    ['half a letter', { search: 'caf\ud83c' }, '?search=caf%EF%BF%BD'],
    ['template variables', { include: 'parent.tvs' }, '?include=parent.tvs&tv_format=typed'],
  ])('writes %s into the address', async (_name, query, expected) => {
    const urls: string[] = [];
    const fetch = async (url: string) => {
      urls.push(url);
      return Response.json({ data: [], meta: {} });
    };
    const client = createClient({ url: 'https://site.example', fetch: fetch as typeof globalThis.fetch });
    await client.request('GET', '/resources', { query });
    expect(urls).toEqual([`https://site.example/api/v1/resources${expected}`]);
  });

  it('sends no key that is empty', async () => {
    const sent: string[][] = [];
    const fetch = async (_url: string, init: RequestInit) => {
      sent.push([...new Headers(init.headers).keys()]);
      return Response.json({ data: {}, meta: {} });
    };
    const client = createClient({ url: 'https://site.example', key: '', fetch: fetch as typeof globalThis.fetch });
    await client.get('resources', 1);
    expect(sent).toEqual([['accept']]);
  });
});
